import { groupHandler } from "../../shared/entry/lambda/group.ts";
import { routes } from "./routes.ts";

export const handler = groupHandler(routes);
