import { loadConfig } from "../../shared/kernel/config.ts";
import { openHost } from "./host.ts";

const config = loadConfig(process.env);
const host = await openHost(config);
const url = await host.listen();
greet();

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    process.once(signal, () => process.exit(1));
    void host.close().then(() => process.exit(0));
  });
}

function greet(): void {
  const { secret, isNew } = host.firstKey;
  const isOurs = config.BOOTSTRAP_API_KEY === undefined;
  const key = isNew && isOurs ? secret : "$API_KEY";
  console.log(`
Memory Service listens on ${url} (reference: ${url}/docs), data in ${config.DATA_DIR}
${isNew && isOurs ? `First admin key, shown this once: ${secret}` : "Admin key: the one from the first start"}
Try:
  curl -s ${url}/memories -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' \\
    -d '{"content": "Ada lives in Zurich and prefers tea.", "user_id": "ada"}'
  curl -s '${url}/search?q=what+does+Ada+drink' -H 'X-API-Key: ${key}'
`);
}
