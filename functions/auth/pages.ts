import { type FormPage, passwordField } from "../../shared/http/form-page.ts";

export const VERIFY: FormPage = {
  title: "Confirm your e-mail address",
  fields: "",
  action: "This address is mine",
  done: "Thank you. Your address is confirmed.",
};

export const RESET: FormPage = {
  title: "Choose a new password",
  fields: passwordField("new_password", "New password") + passwordField("confirm_password", "Once more"),
  action: "Change the password",
  done: "Your password is changed, and every session has ended. Sign in with the new one.",
};
