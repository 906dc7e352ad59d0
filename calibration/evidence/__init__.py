"""The evidence that the eyes can be trusted: pictures of known boards, cast ray by ray, and what is read in them."""
