import type { Browser, Page } from "playwright-core";

/** A page of its own, and what it did that it should not. */
export interface Visit {
  page: Page;
  errors: string[];
  /** Addresses of its requests. */
  requests: string[];
  /** Addresses of its requests that were refused or failed. */
  refused: string[];
  close(): Promise<void>;
}

export interface VisitOptions {
  url: string;
  viewport?: { width: number; height: number };
  /** The cookie of a session of the browser, as a header. */
  cookie?: string | undefined;
}

export async function openPage(
  browser: Browser,
  { url, viewport = { width: 1280, height: 900 }, cookie }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext({ viewport });
  context.setDefaultTimeout(15_000);
  if (cookie !== undefined) await context.addCookies([cookieFrom(cookie, url)]);
  await context.addInitScript("window.presses = 0; addEventListener('pointerdown', () => { presses += 1; }, true)");
  const page = await context.newPage();
  const [errors, requests, refused]: [string[], string[], string[]] = [[], [], []];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("request", (request) => requests.push(request.url()));
  page.on("response", (response) => response.status() >= 400 && refused.push(response.url()));
  await page.goto(url);
  return { page, errors, requests, refused, close: () => context.close() };
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
