"""SIGHUP, and edits of policies under load: what changes, what goes on, and that no request notices."""
import glob
import json
import os
import shutil
import tempfile
import threading
import unittest

from harness import (CHAT, MESSAGES, Config, Gateway, GatewayTest, Together, Upstream, eventually, json_answer,
                     run_command, span, sse_answer)
from harness.certificates import Authority
from harness.gateway import PLUGINS, POLICIES

LATER = [("Retry-After", "40")]  # keeps a circuit open for longer than a slow machine takes


class Settings(GatewayTest):
    @classmethod
    def config(cls, **server):
        config = Config(**server)
        config.backend("a", cls.a, concurrency=1, queue_timeout=span(60)).backend("b", cls.b)
        config.pool("pair-", 10, ["a"], ["b"]).pool("single-", 10, ["b"])
        return config

    @classmethod
    def configure(cls):
        cls.a, cls.b = cls.upstream(), cls.upstream()
        config = cls.config()
        config.env["KEY_B_NEW"], config.env["CLIENT_ALICE"] = "another", "sesame"
        return config

    def setUp(self):
        self.gateway.reload(self.config().text())

    def change(self, *pairs):
        text = self.config().text()
        for old, new in pairs:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return text

    def test_a_model_comes_and_goes(self):
        added = self.config().model("new", ["b"], aliases="fresh").text()
        self.check_error(self.gateway.ask(CHAT, "new"), 404, CHAT)
        before = self.gateway.generation()
        self.assertIn(f"generation {before + 1} is in use", self.gateway.reload(added))
        self.check_answer(self.gateway.ask(CHAT, "fresh"), CHAT)
        self.gateway.reload(self.config().text())
        self.check_error(self.gateway.ask(CHAT, "new"), 404, CHAT)

    def test_what_runs_ends_as_it_began(self):
        self.gateway.reload(self.config().model("passing", ["b"]).text())
        going, words = threading.Event(), CHAT.stream("m", ["Hello", "world"])
        self.b.script("up-passing", sse_answer([*words[:2], going, *words[2:]]))
        with self.gateway.connect() as client:
            client.request("POST", CHAT.path, CHAT.body("passing", True))
            events = client.events(client.head())
            heard = [CHAT.delta(next(events))]
            self.gateway.reload(self.config().text())
            self.check_error(self.gateway.ask(CHAT, "passing"), 404, CHAT)
            going.set()
            heard += [CHAT.delta(event) for event in events]
        self.assertEqual("".join(word for word in heard if word).replace(" ", ""), "Helloworld")

    def test_a_broken_file_is_refused_with_all_its_errors(self):
        before = self.gateway.generation()
        log = self.gateway.reload(self.change(('[model "pair-0"]', '[model "pair-0"]\nprotocls = x'),
                                              ("concurrency = 1", "concurrency = many")))
        self.assertIn("unknown key", log)
        self.assertIn("[backend \"a\"] concurrency: ", log)
        self.assertIn(f"nothing was reloaded; generation {before} goes on", log)
        self.check_answer(self.gateway.ask(CHAT, self.gateway.take("single-")), CHAT)

    def test_what_takes_a_restart_is_said_and_stays(self):
        log = self.gateway.reload(self.config(workers=3, data_dir="elsewhere").text())
        restart = ": takes effect after a restart; running "
        self.assertIn(f"watermaster.ini:3: [server] workers{restart}2; in the file 3", log)
        self.assertIn("watermaster.ini:4: [server] data_dir: takes effect after a restart", log)
        self.assertIn("is in use", log)
        log = self.gateway.reload(self.change(("listen = 127.0.0.1:0", "listen = 127.0.0.1:1")))
        self.assertIn(f"[server] listen{restart}127.0.0.1:0; in the file 127.0.0.1:1", log)
        self.check_answer(self.gateway.ask(CHAT, self.gateway.take("single-")), CHAT)

    def test_clients(self):
        model = self.gateway.take("single-")
        self.gateway.reload(self.config().client("alice", "sesame").text())
        self.assertEqual(self.gateway.ask(CHAT, model).status, 401)
        self.assertEqual(self.gateway.ask(CHAT, model, headers=[("x-api-key", "sesame")]).status, 200)

    def test_a_circuit_goes_on_with_its_target_alone(self):
        model = self.gateway.take("single-")
        self.b.script(f"up-{model}", json_answer(500, CHAT.error_document(), LATER),
                      json_answer(200, CHAT.document("m", "x")))
        self.assertEqual(self.gateway.ask(CHAT, model).status, 500)
        self.gateway.reload(self.config().model("earlier", ["a"]).text())  # another model: other ids
        self.check_error(self.gateway.ask(CHAT, model), 503, CHAT)
        self.gateway.reload(self.change(("env:KEY_B_K", "env:KEY_B_NEW")))
        self.assertEqual(self.gateway.ask(CHAT, model).status, 200)
        self.assertEqual(self.b.of(f"up-{model}")[-1].get("authorization"), "Bearer another")

    def test_a_gate_keeps_its_waiters_and_takes_the_new_limit(self):
        models = [self.gateway.take("pair-") for _ in range(3)]
        held = threading.Event()
        for model in models:
            self.a.script(f"up-{model}", sse_answer([held, *CHAT.stream("m", ["x"])]))

        def ask(model):
            self.assertEqual(self.gateway.ask(CHAT, model, True).status, 200)
        asking = Together(*[lambda m=m: ask(m) for m in models[:2]])
        self.gateway.wait_waiting(1)
        self.gateway.reload(self.change(("concurrency = 1", "concurrency = 2")))
        self.gateway.wait_waiting(0)
        asking.start(lambda: ask(models[2]))
        self.gateway.wait_waiting(1)
        held.set()
        asking.join()


class WithFolder(unittest.TestCase):
    """A gateway of its own, with files that a test changes: setUp makes `gateway`, `up` and `folder`."""

    def tearDown(self):
        try:
            self.gateway.stop()
        finally:
            self.up.close()
            self.folder.cleanup()


class Policies(WithFolder):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.policies = os.path.join(self.folder.name, "policies")
        shutil.copytree(POLICIES, self.policies)
        self.up = Upstream()
        config = Config().backend("a", self.up, credentials=("k", "l")).pool("m-", 4, ["a/k", "a/l"])
        self.gateway = Gateway(config, policies=self.policies)

    def put(self, source):
        """As editors do: a new file, renamed over the old one."""
        name = os.path.join(self.policies, "allocation", "random.lua")
        with open(name + "~", "w", encoding="utf-8") as file:
            file.write(source)
        os.rename(name + "~", name)

    def test_edits_under_load_cost_no_request(self):
        os.remove(os.path.join(self.policies, "spec", "random_spec.lua"))
        text = "function order(r, c) local o = {} for i = 1, #c do o[i] = i end return o, 'edit-%d' end"
        stop, reasons = threading.Event(), []

        def ask():
            with self.gateway.connect() as client:
                while not stop.is_set():
                    client.request("POST", CHAT.path, CHAT.body("m-0"), [("X-Relay-Include-Metadata", "1")])
                    response = client.response()
                    self.assertEqual(response.status, 200, response)
                    reasons.append(response.get("x-relay-selection-reason"))

        clients = Together(*[ask] * 4)
        try:
            for i in range(5):
                self.gateway.said(lambda i=i: self.put(text % i))
                eventually(lambda i=i: reasons[-1:] == [f"edit-{i}"], "the edit in the answers")
                broken = self.gateway.said(lambda: self.put("function order() while true do end end"))
                self.assertIn("policy allocation/random refused (self_test): ", broken)
        finally:
            stop.set()
            clients.join()
        self.assertEqual(list(dict.fromkeys(reasons))[-5:], [f"edit-{i}" for i in range(5)])
        def generations():
            return {json.loads(line)["generation"] for line in list(self.gateway.out) if line.startswith("{")}
        eventually(lambda: generations() >= set(range(2, 7)), "every generation in the access log")
        self.assertLessEqual(generations(), set(range(1, 7)))

    def test_a_start_with_a_script_that_does_not_hold_is_refused(self):
        self.put("function order() return {}, 'x' end")
        config = Config().backend("a", self.up).model("m", ["a"])
        status, said, _ = run_command("check", config.text(), config.env, policies=self.policies)
        self.assertEqual(status, 1)
        self.assertRegex(said, r"policy allocation/random: \S+random_spec\.lua:3: one target is not drawn: expected order")


class AccessLog(WithFolder):
    def setUp(self):
        self.folder, self.up = tempfile.TemporaryDirectory(), Upstream()
        self.file, self.rotated = (os.path.join(self.folder.name, name) for name in ("access.log", "access.log.1"))
        self.gateway = Gateway(self.config(self.file))

    def config(self, file):
        return Config(access_log=file).backend("a", self.up).model("m", ["a"])

    def ask(self, file, lines):
        self.assertEqual(self.gateway.ask(CHAT, "m").status, 200)
        def count():
            with open(file, encoding="utf-8") as said:
                return said.read().count("\n")
        eventually(lambda: count() == lines, f"{lines} lines in {file}")

    def test_a_rotated_log_is_opened_anew(self):
        self.ask(self.file, 1)
        os.rename(self.file, self.rotated)
        self.ask(self.rotated, 2)
        self.gateway.reload()
        self.ask(self.file, 1)
        other = os.path.join(self.folder.name, "other.log")
        self.gateway.reload(self.config(other).text())
        self.ask(other, 1)
        self.gateway.reload(self.config("").text())
        self.assertEqual(self.gateway.ask(CHAT, "m").status, 200)
        self.gateway.reload(self.config(self.file).text())
        self.ask(self.file, 2)

    def test_one_that_cannot_be_opened_is_refused(self):
        for file, why in ((os.path.join("none", "log"), r"in no folder that is there"),
                          ("x" * 300, r"\S+/x+ cannot be opened for appending: File name too long")):
            log = self.gateway.reload(self.config(os.path.join(self.folder.name, file)).text())
            self.assertRegex(log, r"\[server\] access_log: " + why)
            self.assertIn("generation 1 goes on", log)
        self.ask(self.file, 1)


class Plugins(WithFolder):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.plugins = os.path.join(self.folder.name, "plugins")
        os.mkdir(self.plugins)
        for name in ("custom", "openai-chat"):
            self.drop(name)
        self.up = Upstream()
        config = Config().backend("a", self.up).model("m", ["a"])
        self.wider = Config().backend("a", self.up).model("m", ["a"]).backend("b", self.up, MESSAGES).model("n", ["b"])
        config.env.update(self.wider.env)
        self.gateway = Gateway(config, plugins=self.plugins)

    def drop(self, name):
        shutil.copytree(os.path.join(PLUGINS, name), os.path.join(self.plugins, name))

    def library(self, name):
        return glob.glob(os.path.join(self.plugins, name, "*.so"))[0]

    def test_a_new_plugin_is_live_after_a_reload(self):
        self.assertEqual(self.gateway.ask(MESSAGES, "n").status, 404)
        self.assertIn("nothing was reloaded", self.gateway.reload(self.wider.text()))  # nobody speaks its protocol yet
        self.drop("anthropic-messages")
        self.assertRegex(self.gateway.reload(), r"plugin \S+/anthropic-messages: loaded\n")
        self.assertEqual(MESSAGES.text_of(self.gateway.ask(MESSAGES, "n")), "Hello world")
        self.assertEqual(CHAT.text_of(self.gateway.ask(CHAT, "m")), "Hello world")

    def test_a_replaced_plugin_goes_on_and_the_message_says_restart(self):
        library = self.library("openai-chat")
        shutil.copyfile(library, library + "~")
        os.rename(library + "~", library)
        self.assertRegex(self.gateway.reload(), r"plugin \S+/openai-chat: its files were replaced; .* a restart\n")
        self.assertEqual(CHAT.text_of(self.gateway.ask(CHAT, "m")), "Hello world")
        shutil.rmtree(os.path.join(self.plugins, "openai-chat"))
        self.assertRegex(self.gateway.reload(), r"plugin \S+/openai-chat: its files are gone; .* until a restart\n")
        self.assertEqual(CHAT.text_of(self.gateway.ask(CHAT, "m")), "Hello world")

    def test_half_a_copy_is_refused(self):
        self.drop("anthropic-messages")
        library = self.library("anthropic-messages")
        size = os.path.getsize(library)
        for part in (size - 1, 20000, 5000, 1000):
            os.truncate(library, part)
            self.assertRegex(self.gateway.reload(), rf"\.so: expected a complete library of \d+ bytes, found {part} bytes")
        self.assertEqual(CHAT.text_of(self.gateway.ask(CHAT, "m")), "Hello world")

    def test_a_bad_plugin_is_refused_and_may_be_mended(self):
        self.drop("anthropic-messages")
        os.chmod(self.library("anthropic-messages"), 0o666)
        log = self.gateway.reload(self.wider.text())
        self.assertIn("expected a file that group and others cannot write", log)
        self.assertIn("generation 1 goes on", log)
        self.assertEqual(CHAT.text_of(self.gateway.ask(CHAT, "m")), "Hello world")
        os.chmod(self.library("anthropic-messages"), 0o644)
        self.assertIn("generation 2 is in use", self.gateway.reload())
        self.assertEqual(MESSAGES.text_of(self.gateway.ask(MESSAGES, "n")), "Hello world")


class Certificates(unittest.TestCase):
    def setUp(self):
        self.authority, self.up = Authority(), Upstream()
        self.files = [self.authority.path(name) for name in ("served.pem", "served.key")]
        self.renew("one")
        config = Config(tls_certificate=self.files[0], tls_key=self.files[1]).backend("a", self.up).model("m", ["a"])
        self.gateway = Gateway(config)

    def tearDown(self):
        try:
            self.gateway.stop()
        finally:
            self.up.close()
            self.authority.close()

    def renew(self, name):
        """Another certificate in the same files."""
        for issued, served in zip(self.authority.issue(name, "DNS:localhost"), self.files):
            shutil.copyfile(issued, served)

    def connect(self):
        return self.gateway.connect(tls=self.authority.client())

    def name(self, client):
        return dict(pair for (pair,) in client.sock.getpeercert()["subject"])["commonName"]

    def test_new_connections_see_new_certificates(self):
        with self.connect() as old:
            self.assertEqual(self.name(old), "one")
            self.renew("two")
            self.assertIn("generation 2 is in use", self.gateway.reload())
            with self.connect() as new:
                self.assertEqual(self.name(new), "two")
            old.request("POST", CHAT.path, CHAT.body("m"))
            self.assertEqual(CHAT.text_of(old.response()), "Hello world")

    def test_certificates_that_do_not_hold_are_refused(self):
        with open(self.files[0], "w", encoding="ascii") as file:
            file.write("no certificate")
        log = self.gateway.reload()
        self.assertIn(self.files[0], log)
        self.assertIn("generation 1 goes on", log)
        with self.connect() as client:
            self.assertEqual(self.name(client), "one")


if __name__ == "__main__":
    unittest.main()
