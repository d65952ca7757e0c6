import hypothesis

# The first example of a test may have to compile a kernel, so time is no measure of it.
hypothesis.settings.register_profile("hastilude", deadline=None, derandomize=True)
hypothesis.settings.load_profile("hastilude")
