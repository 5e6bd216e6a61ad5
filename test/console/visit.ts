import type { Browser, Page, Request } from "playwright-core";

/** A page of its own, and what it did that it should not. */
export interface Visit {
  page: Page;
  errors: string[];
  /** Addresses of its requests. */
  requests: string[];
  /** Addresses of its requests that were refused or failed. */
  refused: string[];
  /** Leaves the page, whose browser then has no cookie. */
  close(): Promise<void>;
}

export interface VisitOptions {
  url: string;
  viewport?: { width: number; height: number };
  /** The cookie of a session of the browser, as a header. */
  cookie?: string | undefined;
  /** Whether the browser has nothing in its cache. */
  isFirst?: boolean;
}

/** Pages that visits have left and the next one takes: to start a page costs a browser more than most visits do. */
const left = new WeakMap<Browser, Page>();
const underWay = new WeakMap<Page, Set<Request>>();

export async function openPage(
  browser: Browser,
  { url, viewport = { width: 1280, height: 900 }, cookie, isFirst = false }: VisitOptions,
): Promise<Visit> {
  const page = (isFirst ? undefined : takeLeft(browser)) ?? (await startPage(browser));
  await page.setViewportSize(viewport);
  if (cookie !== undefined) await page.context().addCookies([cookieFrom(cookie, url)]);
  const [errors, requests, refused]: [string[], string[], string[]] = [[], [], []];
  const open = new Set<Request>();
  underWay.set(page, open);
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("request", (request) => {
    requests.push(request.url());
    open.add(request);
  });
  page.on("response", (response) => response.status() >= 400 && refused.push(response.url()));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  await page.goto(url);
  return { page, errors, requests, refused, close: () => leave(browser, page) };
}

/** A visit that fails does not leave its page, which may be in any state. */
function takeLeft(browser: Browser): Page | undefined {
  const page = left.get(browser);
  left.delete(browser);
  return page;
}

async function startPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  context.setDefaultTimeout(15_000);
  await context.addInitScript("window.presses = 0; addEventListener('pointerdown', () => { presses += 1; }, true)");
  return context.newPage();
}

async function leave(browser: Browser, page: Page): Promise<void> {
  const context = page.context();
  page.removeAllListeners();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  for (const tab of context.pages()) if (tab !== page) await tab.close();
  await page.goto("about:blank");
  await context.clearCookies();
  await page.emulateMedia({ colorScheme: null });
  await left.get(browser)?.context().close();
  left.set(browser, page);
}

/** Waits until the page has got and shown all that it asked for. */
export async function settle(page: Page): Promise<void> {
  const isBusy = `new Promise((resolve) => requestAnimationFrame(() =>
    setTimeout(() => resolve(document.querySelector("[aria-busy]") !== null))))`;
  // What the page asks for in a frame is known before the answer from that frame.
  while ((await page.evaluate(isBusy)) || (underWay.get(page)?.size ?? 0) > 0);
}

/** How often the pointer was pressed in the page since it was loaded. */
export async function pressesIn(page: Page): Promise<number> {
  return Number(await page.evaluate("presses"));
}

/** The cookie of a session as browsers keep it: of a secure host, and sent to each of its ports. */
function cookieFrom(header: string, url: string) {
  const [name = "", value = ""] = header.split("=");
  return {
    name,
    value,
    url: new URL(url).origin.replace(/^http:/, "https:"),
    httpOnly: true,
    secure: true,
    sameSite: "Lax" as const,
  };
}

/** Signs in with a key, which opens the view of the address. */
export async function signInWith(page: Page, key: string, view = "Home"): Promise<void> {
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: view, level: 1 }).waitFor();
}

/** Opens an address of the console in the page, as a link does. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, "", "/console/${address}"); dispatchEvent(new PopStateEvent("popstate"))`,
  );
}
