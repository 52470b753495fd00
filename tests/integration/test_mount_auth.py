"""Mounts with upstream authentication: one credential, the mount's, and secrets nowhere else."""
from harness import Config, GatewayTest, eventually, exchange, json_answer

CLIENT_FIELDS = [("Authorization", "Bearer CANARY"), ("Proxy-Authorization", "Basic CANARY"), ("X-Api-Key", "CANARY"),
                 ("Api-Key", "CANARY"), ("X-Goog-Api-Key", "CANARY"), ("X-Amz-Security-Token", "CANARY"),
                 ("X-Goog-User-Project", "CANARY"), ("X-Forwarded-For", "CANARY"), ("X-Forwarded-Host", "CANARY"),
                 ("X-Forwarded-Proto", "CANARY"), ("Forwarded", "for=CANARY"), ("X-Watermaster-Key", "CANARY"),
                 ("Anthropic-Version", "2020-01-01"), ("Anthropic-Beta", "f1"), ("Cookie", "s=1")]


class MountAuth(GatewayTest):
    """BC-020 BC-025 BC-026 BC-029 BC-041"""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        cls.up.always = lambda r: json_answer(200, {"seen": r.target}, [("Set-Cookie", "t=1"), ("WWW-Authenticate", "Basic")])
        config = Config()
        for name, keys in {"auto": {}, "key": {"auth_mode": "x-api-key"}, "azure": {"auth_mode": "api-key"},
                           "own": {"auth_header": "X-Own-Key"}}.items():
            config.mount(name, cls.up, prefix="/" + name, secret=f"SECRET-{name}", **keys)
        config.mount("strip", cls.up, prefix="/strip", auth_source="none", forward_cookies="no")
        config.mount("open", cls.up, prefix="/open")
        return config

    def ask(self, path, headers=CLIENT_FIELDS):
        before = len(self.up.requests)
        response = exchange(self.gateway.port, "GET", path, None, headers)
        self.assertEqual(response.status, 200)
        return self.up.requests[before], response

    def test_exactly_one_credential_goes_upstream(self):
        rows = {"auto": ("authorization", "Bearer SECRET-auto"), "key": ("x-api-key", "SECRET-key"),
                "azure": ("api-key", "SECRET-azure"), "own": ("x-own-key", "SECRET-own"), "strip": (None, None)}
        for name, (field, value) in rows.items():
            with self.subTest(name):
                request, response = self.ask(f"/{name}/x")
                self.assertNotIn(b"CANARY", request.raw)
                self.assertEqual(request.raw.count(b"SECRET"), 1 if field else 0)
                if field:
                    self.assertEqual(request.all(field), [value])
                self.assertEqual(request.all("anthropic-version"), ["2023-06-01"] if name == "key" else [])
                self.assertEqual(request.all("anthropic-beta"), [])
                self.assertEqual(request.all("cookie"), [] if name == "strip" else ["s=1"])
                self.assertNotIn("SECRET", repr(response))
                self.assertEqual((response.get("set-cookie"), response.get("www-authenticate")), ("t=1", "Basic"))

    def test_without_authentication_only_forwarding_fields_stay(self):
        """BC-030 BC-040"""
        request, _ = self.ask("/open/x")
        kept = [(n, v) for n, v in CLIENT_FIELDS if not n.lower().startswith(("x-forwarded", "forwarded", "proxy-", "x-watermaster"))]
        self.assertEqual([f for f in request.fields if f[0] != "Host"], kept)

    def test_a_hostile_connection_list(self):
        """BC-027"""
        for names in ("Authorization", "Authorization, X-Api-Key, Host", "close, authorization"):
            with self.gateway.connect() as client:
                client.request("GET", "/auto/x", None, [("Connection", ""), ("Connection", names)])
                self.assertEqual(client.response().status, 200)
            self.assertEqual(self.up.requests[-1].all("authorization"), ["Bearer SECRET-auto"])
            self.assertEqual(len(self.up.requests[-1].all("host")), 1)

    def test_secrets_are_written_nowhere(self):
        """BC-021 BC-041 BC-042"""
        self.ask("/auto/x?key=CANARY")
        eventually(lambda: any('"mount":"auto"' in line for line in self.gateway.out), "a record")
        text = "".join(self.gateway.out + self.gateway.errors)
        self.assertNotIn("SECRET", text)
        self.assertNotIn("CANARY", text)
        with open(f"/proc/{self.gateway.process.pid}/cmdline", "rb") as file:
            self.assertNotIn(b"SECRET", file.read())

    def test_the_note_at_the_start(self):
        """BC-044"""
        notes = [line for line in self.gateway.errors if "without upstream authentication" in line]
        self.assertEqual(len(notes), 1)
        self.assertIn("1 of 6 mounts", notes[0])


class ClientKeys(GatewayTest):
    """A key that identifies a client of the gateway goes no further, also where everything else does. BC-040 BC-046"""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        cls.up.always = lambda r: json_answer(200, {})
        return Config().mount("open", cls.up).client("alice", "ALICE KEY").client("bob", "BOB")

    def test_wherever_it_stands(self):
        rows = [([("X-Watermaster-Key", "BOB"), ("Authorization", "Bearer theirs")], "/x?key=theirs", {"authorization": "Bearer theirs"}, "/x?key=theirs"),
                ([("Authorization", "Bearer BOB"), ("X-Api-Key", "theirs")], "/x", {"x-api-key": "theirs"}, "/x"),
                ([("Authorization", "bearer  ALICE KEY"), ("X-Api-Key", "BOB")], "/x", {}, "/x"),
                ([], "/x?a&key=ALICE%20KEY&b=", {}, "/x?a&b="),
                ([("X-Api-Key", "theirs")], "/x?key=BOB", {"x-api-key": "theirs"}, "/x")]
        for headers, path, expected, target in rows:
            with self.subTest(headers=headers, path=path):
                before = len(self.up.requests)
                self.assertEqual(exchange(self.gateway.port, "POST", path, b"{}", headers).status, 200)
                request = self.up.requests[before]
                self.assertEqual(request.target, target)
                self.assertNotIn(b"ALICE", request.raw)
                self.assertNotIn(b"BOB", request.raw)
                kept = {n.lower(): v for n, v in request.fields if n.lower() not in ("host", "content-type", "content-length")}
                self.assertEqual(kept, expected)
