import { defineConfig } from "vitest/config";
import { configOf, drills } from "./vitest.config.ts";

export default defineConfig(configOf(drills));
