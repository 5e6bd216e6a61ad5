/** First step of `npm run test:python`: installs the packages for the tests of the Python client into .cache. */
import { installPackages } from "../engines/install.ts";
import { PYTHON_PACKAGES } from "./python-packages.ts";

await installPackages(...PYTHON_PACKAGES);
