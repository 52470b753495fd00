"""Configurations in code; each target of a model named M asks its backend for the upstream model `up-M`."""
from .protocols import CHAT, PROTOCOLS


def section(*names, **keys):
    head, *rest = names
    lines = ["[" + " ".join([head] + [f'"{n}"' for n in rest]) + "]"]
    for key, value in keys.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            lines.append(f"{key} = {one}")
    return "\n".join(lines) + "\n"


class Config:
    def __init__(self, **server):
        self.env = {}
        self.sections = [section("server", **{"listen": "127.0.0.1:0", **server})]
        self.backends = {}  # name -> upstream models it has
        self.pools = {}

    def backend(self, name, upstream, protocol=CHAT, credentials=("k",), **keys):
        """`upstream` has a `url`, or is one. A credential's key is `secret-BACKEND-CREDENTIAL`; `credentials` may map to its
        further keys."""
        keys.setdefault("base_url", getattr(upstream, "url", upstream))
        self.sections.append(section("backend", name, adapter=protocol.adapter, **keys))
        for credential in credentials:
            variable = f"KEY_{name}_{credential}".upper().replace("-", "_")
            self.env[variable] = f"secret-{name}-{credential}"
            further = credentials[credential] if isinstance(credentials, dict) else {}
            self.sections.append(section("credential", name, credential, api_key=f"env:{variable}", **further))
        self.backends[name] = set()
        return self

    def upstream_model(self, backend, model, **keys):
        if model not in self.backends[backend]:
            self.backends[backend].add(model)
            self.sections.append(section("upstream-model", backend, model, **keys))

    def model(self, name, *layers, upstream=None, **keys):
        """Each layer lists backends, or `backend/credential`; the layers are named first, second, …"""
        self.sections.append(section("model", name, **keys))
        for layer, targets in zip(("first", "second", "third", "fourth"), layers):
            lines = []
            for target in targets:
                backend, _, credential = target.partition("/")
                self.upstream_model(backend, upstream or f"up-{name}")
                lines.append(f"{backend}/{credential or 'k'} {upstream or f'up-{name}'}")
            self.sections.append(section("layer", name, layer, target=lines))
        return self

    def pool(self, prefix, count, *layers, **keys):
        """Models alike, so that each test has circuits of its own."""
        for i in range(count):
            self.model(f"{prefix}{i}", *layers, **keys)
        self.pools[prefix] = [f"{prefix}{i}" for i in range(count)]
        return self

    def each_protocol(self, upstream, prefix="", model=False, pool=0, **keys):
        """A backend for each protocol, called by its id; with `model` one of the same name on it, with `pool` so many."""
        for protocol in PROTOCOLS:
            name = prefix + protocol.id
            self.backend(name, upstream, protocol, **keys)
            if model:
                self.model(name, [name])
            if pool:
                self.pool(f"{name}-", pool, [name])
        return self

    def mount(self, name, upstream, **keys):
        """With `secret`, it is the mount's credential. Without `protected`, its upstream is not spared: no permit is
        held after its request, and no circuit opens. Nothing is retried unless `retry` says so."""
        keys.setdefault("retry", 0)
        secret = keys.pop("secret", None)
        if not keys.pop("protected", False):
            keys = {"release_cooldown": "0s", "cancel_cooldown": "0s", "failure_hold": "0s", "circuit_breaker": "no", **keys}
        if secret:
            variable = f"MOUNT_{name}".upper().replace("-", "_")
            self.env[variable] = secret
            keys["auth_source"] = f"env:{variable}"
        self.sections.append(section("mount", name, upstream=getattr(upstream, "url", upstream), **keys))
        return self

    def client(self, name, key, **keys):
        variable = f"CLIENT_{name}".upper().replace("-", "_")
        self.env[variable] = key
        self.sections.append(section("client", name, key=f"env:{variable}", **keys))
        return self

    def raw(self, text):
        self.sections.append(text)
        return self

    def text(self):
        return "\n".join(self.sections)
