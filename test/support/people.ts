import { randomUUID } from "node:crypto";
import { base32 } from "@otplib/plugin-base32-scure";
import { crypto } from "@otplib/plugin-crypto-node";
import { generateSync } from "@otplib/totp";
import { expect } from "vitest";
import type { Mail } from "../../shared/ports/mailer.ts";
import { expectDocumented, routeAt } from "./documented.ts";
import type { Answered, Service } from "./service.ts";

export const PASSWORD = "a password nobody has";

/** A person who sends requests with an access token or none. Every answer must be documented in openapi.json. */
export class Person {
  readonly service: Service;
  readonly token: string | undefined;

  constructor(service: Service, token?: string) {
    this.service = service;
    this.token = token;
  }

  /** Returns a person of the same service with another access token. */
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

  /** Returns the data of a POST request that must succeed. */
  async done(path: string, body: unknown = {}) {
    const answer = await this.post(path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.data;
  }
}

/** Returns an unused e-mail address. */
export function newEmail(): string {
  return `${randomUUID()}@example.com`;
}

/** Registers a person with a new address. */
export async function registered(nobody: Person, given: Record<string, unknown> = {}) {
  const email = newEmail();
  const user = await nobody.done("/auth/register", { email, password: PASSWORD, name: "Ada", ...given });
  return { email, user };
}

/** Signs in by e-mail and password and returns the answer's data. */
export function signIn(nobody: Person, email: string, more: object = {}) {
  return nobody.done("/auth/login", { email, password: PASSWORD, ...more });
}

/** Returns the token of the last mail to an address with a matching subject. Throws an error if there is none. */
export function mailedToken(mails: Mail[], to: string, subject: RegExp): string {
  const mail = mails.findLast((each) => each.to === to && subject.test(each.subject));
  const token = mail?.text.match(/#token=([\w-]+)/)?.[1];
  if (token === undefined) throw new Error(`no mail to ${to} has a token`);
  return token;
}

/** Returns the code of an authenticator app now, or a number of 30-second steps later. */
export function otpOf(secret: string, now: number, stepsLater = 0): string {
  return generateSync({ secret, epoch: Math.floor(now / 1000) + 30 * stepsLater, crypto, base32 });
}
