import { groupHandler } from "../../shared/entry/lambda/group.ts";
import { routes } from "./routes.ts";

export const handler = await groupHandler(routes);
