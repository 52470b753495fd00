"""The table of answers against the real binary: what the client gets, and whether the connection is used again."""
import threading
import unittest

from harness import CHAT, Answer, Config, GatewayTest, span

import answer_cases
from answer_cases import BODY, CUT, LENGTH, OTHER, REFUSED, WHOLE, head
from wire import add_cases


class Answers(GatewayTest):
    """One loop, so that there is one pool: the freshest idle connection is what the next request gets."""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        config = Config(loops=1).backend("a", cls.up, upstream_read=span(1), upstream_stream_read=span(1))
        return config.pool("m", len(answer_cases.CASES) + 1, ["a"]).pool("next", len(answer_cases.CASES) + 1, ["a"])

    def connection_of(self, model):
        return self.up.of(f"up-{model}")[-1].connection

    def next_one(self):
        """The connection that a further request is answered over; nothing that was left over may answer it."""
        model = self.gateway.take("next")
        self.check_answer(self.gateway.ask(CHAT, model), CHAT)
        return self.connection_of(model)

    def run_case(self, case):
        model = self.gateway.take("m")
        self.up.script(f"up-{model}", case.answer)
        response = self.gateway.ask(CHAT, model, case.stream)
        if case.gets == WHOLE:
            self.check_answer(response, CHAT, "once")
        elif case.gets == REFUSED:
            self.check_error(response, response.status, CHAT)
            self.assertIn(response.status, (502, 504), response)
        else:
            self.assertEqual(response.status, 200, response)
            self.check_error_end(response.events(), CHAT)
        self.assertNotIn(b"poison", response.body)
        used = self.connection_of(model)
        self.assertEqual(self.next_one() == used, case.reused, "whether the connection was used again")

    def test_an_answer_that_comes_while_nobody_asks(self):
        """To a connection that waits in the pool: it is closed, and nobody gets that answer."""
        model, go, gone = self.gateway.take("m"), threading.Event(), threading.Event()

        def later(request):
            self.up.active[request].sendall(OTHER)
            gone.set()
        self.up.script(f"up-{model}", Answer(head(LENGTH) + BODY, go, later))
        self.check_answer(self.gateway.ask(CHAT, model), CHAT, "once")
        go.set()
        self.assertTrue(gone.wait(5))
        self.assertNotEqual(self.next_one(), self.connection_of(model))


for one in answer_cases.CASES:
    assert one.gets in (WHOLE, REFUSED, CUT), one.id
add_cases(Answers, answer_cases.CASES)


if __name__ == "__main__":
    unittest.main()
