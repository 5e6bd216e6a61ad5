import { type FormPage, passwordField } from "../../shared/domain/identity/form-page.ts";

export const ACCEPT: FormPage = {
  title: "You are invited",
  fields: `${passwordField("password", "Choose a password")}
<p><label><input name="accept_terms" type="checkbox" required> I accept the terms of use</label></p>`,
  action: "Join",
  done: "Welcome. Sign in with your e-mail address and this password.",
};
