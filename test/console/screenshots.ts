/**
 * `npm run screenshots`: stores a story through the API of a service in a temporary folder, opens the console in Chromium and
 * writes the pictures of the documents. Without Chromium it says so and writes nothing.
 */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { openService } from "../support/service.ts";
import { findChromium, openBrowser } from "./browser.ts";
import { reduceColours } from "./palette-png.ts";
import { hashOfViews, PICTURED } from "./views.ts";
import { signInWith } from "./visit.ts";

const IMAGES = new URL("../../docs/images/", import.meta.url);
/** GitHub shows them beside text, and every clone has them. */
const MAX_BYTES = 120_000;
/** Reading and embedding take long on a busy machine. */
const TIMEOUT_MS = 120_000;
const VIEWPORT = { width: 1180, height: 760 };
/** What is chosen covers nothing of the timeline in a window of this height. */
const WHOLE_TIMELINE = 1400;
const USER = "ada";
const DAY = "2026-04-14";
const QUESTION = "When does my sister visit me?";

/** Half a year of a person's messages, in their order. */
const STORY = [
  ["2026-01-12", "I live in Berlin and work as a nurse at the Charité."],
  ["2026-01-20", "I am allergic to peanuts, so please never suggest satay."],
  ["2026-02-03", "My sister Mia lives in Porto and keeps two cats."],
  ["2026-02-11", "The car insurance runs out at the end of November."],
  ["2026-02-17", "Always answer me in short sentences."],
  ["2026-03-02", "My favourite tea is Assam, without sugar."],
  ["2026-03-15", "I am reading a biography of Ada Lovelace."],
  ["2026-03-29", "I signed a contract with the children's hospital in Zurich."],
  ["2026-05-04", "I moved to Zurich. The flat is above a bakery."],
  ["2026-05-20", "Mia visits me in Zurich on 14 August."],
  ["2026-06-02", "The dentist in Oerlikon has moved my appointment to Thursday."],
  ["2026-06-11", "I started as a nurse at the children's hospital in Zurich."],
] as const;

const chromium = findChromium();
if (chromium === undefined) console.log("No picture was taken: no chromium on PATH, and CHROMIUM_PATH names none.");
else await takePictures(chromium);

async function takePictures(executable: string): Promise<void> {
  const service = await openService({ EMBEDDER: "onnx", HOST: "127.0.0.1" });
  const browser = await openBrowser(executable);
  try {
    for (const [occurred_at, content] of STORY) {
      const answer = await service.request("POST", "/memories", { body: { content, occurred_at, user_id: USER } });
      if (answer.status !== 201) throw new Error(`a memory was not stored: ${JSON.stringify(answer.body)}`);
    }
    await service.runtime.drainChangeFeed();
    await untilVectorsAreStored();
    const page = await browser.newPage({ viewport: VIEWPORT });
    page.setDefaultTimeout(TIMEOUT_MS);
    await page.goto(`${await service.host.listen()}/console`);
    await signInWith(page, service.adminKey);
    await page.getByRole("link", { name: "Memories", exact: true }).click();
    await page.getByLabel("Search for").fill(QUESTION);
    await page.getByLabel("User").fill(USER);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    const why = page.getByRole("heading", { name: "Why each line is there" });
    await why.waitFor();
    await page.waitForLoadState("networkidle");
    mkdirSync(IMAGES, { recursive: true });
    await keep("search.png", await page.screenshot());
    await keep("recall.png", await page.locator("section").filter({ has: why }).screenshot());
    const memory = page.locator(".memories details").filter({ hasText: "Mia visits me" });
    await memory.locator("summary").click();
    await memory.getByRole("heading", { name: "Facts" }).waitFor();
    await keep("memory.png", await memory.screenshot());
    await page.getByRole("link", { name: "Timeline", exact: true }).click();
    await page.getByRole("slider", { name: "Day" }).waitFor();
    await page.getByLabel("What held on this day").fill(DAY);
    await page.getByRole("option", { name: /^lives in Berlin/ }).click();
    await page.setViewportSize({ ...VIEWPORT, height: WHOLE_TIMELINE });
    await keep("timeline.png", await page.locator(".truth").screenshot());
    await page.setViewportSize(VIEWPORT);
    await page.getByRole("link", { name: "Graph", exact: true }).last().click();
    const sister = page.getByRole("option", { name: "person Mia" });
    await sister.waitFor();
    await sister.click();
    await keep("graph.png", await page.getByRole("figure").screenshot());
    writeFileSync(PICTURED, `${hashOfViews()}\n`);
  } finally {
    await browser.close();
    await service.close();
  }

  /** Searches by meaning miss what has no vector yet. */
  async function untilVectorsAreStored(): Promise<void> {
    const pending = async () => (await service.request("GET", "/status")).body.data.index.pending;
    while ((await pending()) > 0) await delay(100);
  }
}

async function keep(name: string, picture: Buffer): Promise<void> {
  const file = new URL(name, IMAGES);
  writeFileSync(file, reduceColours(picture));
  const { size } = statSync(file);
  console.log(`${name}: ${Math.round(size / 1000)} KB`);
  if (size > MAX_BYTES) throw new Error(`${name} is larger than ${MAX_BYTES} bytes`);
}
