import { fileURLToPath } from "node:url";

/**
 * The name and requirements file of the packages for the tests of the Python client, as arguments of `installPackages`.
 */
export const PYTHON_PACKAGES = ["python-client", fileURLToPath(new URL("requirements.txt", import.meta.url))] as const;
