import { groupHandler } from "../../shared/lambda/group.ts";
import { routes } from "./routes.ts";

export const handler = groupHandler(routes);
