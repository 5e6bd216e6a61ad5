import { newGroup } from "../../shared/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.route(
  {
    method: "post",
    path: "/admin/signing-keys/rotate",
    name: "rotateSigningKey",
    summary: "Have access tokens signed by another key; operators only. Nobody is signed out",
    permission: "admin:all",
    limit: "admin_maintenance",
    body: schemas.RotateSigningKey,
    answer: schemas.SigningKeys,
    errors: ["FORBIDDEN"],
  },
  (ctx, { body }) => service.rotateSigningKey(ctx, body),
);
