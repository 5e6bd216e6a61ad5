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
}

export async function openPage(
  browser: Browser,
  { url, viewport = { width: 1280, height: 900 } }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext({ viewport });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const [errors, requests, refused]: [string[], string[], string[]] = [[], [], []];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("request", (request) => requests.push(request.url()));
  page.on("response", (response) => response.status() >= 400 && refused.push(response.url()));
  await page.goto(url);
  return { page, errors, requests, refused, close: () => context.close() };
}

export async function signInWith(page: Page, key: string): Promise<void> {
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
}
