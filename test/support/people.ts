import { randomUUID } from "node:crypto";
import { base32 } from "@otplib/plugin-base32-scure";
import { crypto } from "@otplib/plugin-crypto-node";
import { generateSync } from "@otplib/totp";
import { expect } from "vitest";
import type { Mail } from "../../shared/platform/ports.ts";
import { expectDocumented, routeAt } from "./documented.ts";
import type { Answered, Service } from "./service.ts";

export const PASSWORD = "a password nobody has";

/** Somebody who speaks to the service with an access token or none; every answer must be one that openapi.json announces. */
export class Person {
  readonly service: Service;
  readonly token: string | undefined;

  constructor(service: Service, token?: string) {
    this.service = service;
    this.token = token;
  }

  /** The same service under another access token. */
  as(token: string): Person {
    return new Person(this.service, token);
  }

  get(path: string): Promise<Answered> {
    return this.#send("GET", path);
  }

  post(path: string, body: unknown = {}): Promise<Answered> {
    return this.#send("POST", path, body);
  }

  async #send(method: string, path: string, body?: unknown): Promise<Answered> {
    const headers: Record<string, string> = this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
    const answer = await this.service.request(method, path, { key: null, headers, body });
    expectDocumented(routeAt(method, path), answer);
    return answer;
  }

  /** What a request answered that must succeed. */
  async done(path: string, body: unknown = {}) {
    const answer = await this.post(path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.data;
  }
}

/** An address that nobody has. */
export function newEmail(): string {
  return `${randomUUID()}@example.com`;
}

/** Somebody who has just registered. */
export async function registered(nobody: Person, given: Record<string, unknown> = {}) {
  const email = newEmail();
  const user = await nobody.done("/auth/register", { email, password: PASSWORD, name: "Ada", ...given });
  return { email, user };
}

/** What a sign-in by e-mail and password answers. */
export function signIn(nobody: Person, email: string, more: object = {}) {
  return nobody.done("/auth/login", { email, password: PASSWORD, ...more });
}

/** The token of the last mail to an address with such a subject. */
export function mailedToken(mails: Mail[], to: string, subject: RegExp): string {
  const mail = mails.findLast((each) => each.to === to && subject.test(each.subject));
  const token = mail?.text.match(/#token=([\w-]+)/)?.[1];
  if (token === undefined) throw new Error(`no mail to ${to} has a token`);
  return token;
}

/** What an authenticator app shows now, or so many steps of 30 seconds later. */
export function otpOf(secret: string, now: number, stepsLater = 0): string {
  return generateSync({ secret, epoch: Math.floor(now / 1000) + 30 * stepsLater, crypto, base32 });
}
