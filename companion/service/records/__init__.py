"""Games that were played: recorded, refereed again, listed, and taken along."""
