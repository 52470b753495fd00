policy "allocation/random"

case { "one target is not drawn",
    order = { candidates = { { backend = "a", random = 0.9 } } },
    expect = { order = { 1 }, reason = "single-target" } }

case { "the lower draw goes first",
    order = { candidates = { { backend = "a", random = 0.9 }, { backend = "b", random = 0.1 } } },
    expect = { order = { 2, 1 }, reason = "random" } }

case { "any permutation",
    order = { candidates = { { random = 0.5 }, { random = 0.75 }, { random = 0 }, { random = 0.25 } } },
    expect = { order = { 3, 4, 1, 2 }, reason = "random" } }

case { "sorted draws keep the order",
    order = { candidates = { { random = 0.1 }, { random = 0.2 }, { random = 0.3 } } },
    expect = { order = { 1, 2, 3 }, reason = "random" } }

case { "equal draws keep the configured order",
    order = { candidates = { { random = 0.5 }, { random = 0.5 }, { random = 0.1 }, { random = 0.5 } } },
    expect = { order = { 3, 1, 2, 4 }, reason = "random" } }

case { "what the request is does not matter",
    order = { request = { served_model = "m", protocol = "openai-chat", principal = "p", layer = "l", stream = true,
                          text_bytes = 100000 },
              candidates = { { random = 0.6 }, { random = 0.4 } } },
    expect = { order = { 2, 1 }, reason = "random" } }
