"""MiniStack, which looks for changes and messages ten times a second rather than once; Lambda does four times."""

import threading
import time

from ministack.app import main
from ministack.services import lambda_svc


def wake():
    while True:
        time.sleep(0.1)
        lambda_svc._esm_wake.set()


threading.Thread(target=wake, daemon=True).start()
main()
