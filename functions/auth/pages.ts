import { type FormPage, passwordField } from "../../shared/domain/identity/form-page.ts";

export const VERIFY: FormPage = {
  title: "Confirm your e-mail address",
  fields: "",
  action: "This address is mine",
  done: "Your email address is verified.",
};

export const RESET: FormPage = {
  title: "Choose a new password",
  fields: passwordField("new_password", "New password") + passwordField("confirm_password", "Once more"),
  action: "Change the password",
  done: "Your password is changed and all sessions have ended. Sign in with the new password.",
};
