"""Certificates of a test's own authority, made with the openssl command."""
import os
import ssl
import subprocess
import tempfile


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                   stdin=subprocess.DEVNULL)


class Authority:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.certificate = self.path("ca.pem")
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=test authority", "-keyout", self.path("ca.key"), "-out", self.certificate)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def issue(self, name, *names, days=2):
        """(certificate, key) for the names, each as `DNS:…` or `IP:…`."""
        key, request, out, extra = (self.path(f"{name}.{e}") for e in ("key", "csr", "pem", "ext"))
        with open(extra, "w", encoding="ascii") as file:
            file.write("subjectAltName=" + ",".join(names) + "\n")
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}",
                "-keyout", key, "-out", request)
        openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.path("ca.key"),
                "-CAcreateserial", "-days", str(days), "-extfile", extra, "-out", out)
        return out, key

    def client(self):
        return ssl.create_default_context(cafile=self.certificate)

    def server(self, name, *names):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.issue(name, *names))
        return context

    def close(self):
        self.folder.cleanup()
