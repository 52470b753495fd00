"""The cases of translation once more, on mounts that are given the terms of served models."""
import unittest

import test_translation_encodings
import test_translation_ends
import test_translation_framing
import test_translation_images
import test_translation_numbers
import test_translation_parameters
import test_translation_reasoning
import test_translation_schemas
import test_translation_streams
import test_translation_tools
import test_translation_turns
import test_translation_usage
from translating import TranslationTest

MODULES = (test_translation_encodings, test_translation_ends, test_translation_framing, test_translation_images,
           test_translation_numbers, test_translation_parameters, test_translation_reasoning, test_translation_schemas,
           test_translation_streams, test_translation_tools, test_translation_turns, test_translation_usage)


def on_mounts(case):
    hidden = {name: None for name in dir(case) if getattr(getattr(case, name), "of_served_models", False)}
    return type(f"{case.__name__}OnMounts", (case,), {"mounts": True, "__module__": __name__, **hidden})


def load_tests(loader, standard, pattern):
    cases = [case for module in MODULES for case in vars(module).values()
             if isinstance(case, type) and issubclass(case, TranslationTest) and case is not TranslationTest and not case.mounts]
    return unittest.TestSuite(loader.loadTestsFromTestCase(on_mounts(case)) for case in cases)

if __name__ == "__main__":
    unittest.main()
