import type { Permission } from "../../runtime/access/permissions.ts";

/** What a user granted to an OAuth client. Its id is that of the sign-in that stores it. */
export interface ClientGrant {
  /** The client's `client_id`. */
  id: string;
  /** As the user saw it. */
  name: string;
  /** Where its tokens are valid: the audience of RFC 8707. */
  resource: string;
  /** Never `admin:all`. The user's current permissions limit them further. */
  scopes: Permission[];
  /** The only `user_id` whose memories the client may use; absent for those of the whole project. */
  memory_user?: string;
}

/** The part of a grant that an access token contains. */
export type TokenGrant = Omit<ClientGrant, "name">;
