"""Which colour each piece has, whatever the light makes of it."""
