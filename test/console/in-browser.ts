import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { findChromium, openBrowser } from "./browser.ts";
import { type House, openHouse } from "./house.ts";

/** What a suite has while its tests run. */
export interface InBrowser {
  readonly browser: Browser;
}

export interface InHouse extends InBrowser {
  readonly house: House;
}

const chromium = findChromium();

/** A suite with a browser, which is skipped where there is none. */
export function describeInBrowser(title: string, define: (opened: InBrowser) => void): void {
  const missing = `${title} (skipped: no chromium on PATH, and CHROMIUM_PATH names none)`;
  describe.skipIf(!chromium)(chromium ? title : missing, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser(chromium ?? "");
    });
    afterAll(() => browser?.close());
    define({
      get browser() {
        return browser;
      },
    });
  });
}

/** The same with a house that has something in every view. */
export function describeInHouse(title: string, define: (opened: InHouse) => void): void {
  describeInBrowser(title, (opened) => {
    let house: House;
    beforeAll(async () => {
      house = await openHouse();
    });
    afterAll(() => house?.close());
    define({
      get browser() {
        return opened.browser;
      },
      get house() {
        return house;
      },
    });
  });
}
