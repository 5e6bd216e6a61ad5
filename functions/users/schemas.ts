import * as z from "zod";
import { INVITE_STATES } from "../../shared/domain/identity/invites.ts";
import { USER_STATES } from "../../shared/domain/identity/users.ts";
import { Activity, email, Invite, person } from "../../shared/domain/identity/wire.ts";
import { PERMISSIONS, ROLES } from "../../shared/runtime/access/permissions.ts";
import { PLANS } from "../../shared/runtime/access/plans.ts";
import {
  each,
  filledText,
  metadata,
  moment,
  Pagination,
  page,
  storedObject,
  text,
  timeZone,
} from "../../shared/runtime/schemas/fields.ts";
import { measured } from "../../shared/runtime/schemas/schema-parts.ts";

export { Invite };

/** Ten years; longer suspensions are unlimited. */
const MAX_SUSPENSION_HOURS = 87_600;
const MAX_INVITE_DAYS = 90;

/** The verb checks the rules and explains failures; this only limits what is hashed. */
const password = z.string().max(1024);
const name = filledText(200);
const role = z.enum(ROLES);
const permissions = z.array(z.enum(PERMISSIONS)).transform((given) => [...new Set(given)]);
const organization = text(200);
const department = text(200);
const reason = filledText(1000);

const timezone = timeZone.describe(
  "The IANA time zone in which dates without an offset are read, such as `Europe/Berlin`; UTC by default",
);

export const CreateUser = z.object({
  email,
  name,
  password,
  role,
  organization: organization.optional(),
  department: department.optional(),
  permissions: permissions.optional(),
  metadata: metadata.optional(),
  timezone: timezone.optional(),
});

export const ListUsers = z.object({
  status: z.enum(USER_STATES).optional(),
  role: role.optional(),
  created_after: moment.optional(),
  created_before: moment.optional(),
  ...page(50, 200),
});

export const UpdateUser = z.object({ name, role, permissions, organization, department, metadata, timezone }).partial();

export const DeleteUser = z.object({
  reason,
  transfer_data: z.boolean().optional(),
  transfer_to: z.string().min(1).max(256).optional(),
  erase: z.boolean().default(false).describe("Erases all data of the user in the background; this cannot be undone"),
});

export const SuspendUser = z.object({
  reason,
  duration_hours: z.int().min(1).max(MAX_SUSPENSION_HOURS).optional(),
  notify_user: z.boolean().default(true),
});

export const ActivateUser = z.object({ reason: text(1000).optional() });

export const User = z.object({
  ...person,
  role,
  status: z.enum(USER_STATES),
  ...each(z.string().optional(), "suspended_until", "suspension_reason", "deleted_at", "deleted_by", "deletion_reason"),
  organization: z.string().optional(),
  department: z.string().optional(),
  permissions: z.array(z.string()),
  metadata: storedObject,
  timezone: z.string(),
  email_verified: z.boolean(),
  two_factor_enabled: z.boolean(),
  security: z.object({
    login_attempts: measured(z.int()),
    account_locked: measured(z.boolean()),
    last_login: measured(z.string().nullable()),
    login_count: measured(z.int()),
    password_changed_at: z.string().nullable(),
  }),
  usage_stats: measured(Activity),
  created_at: z.string(),
  created_by: z.string(),
  updated_at: z.string(),
  last_login: measured(z.string().nullable()),
  login_count: measured(z.int()),
});

export const NewUser = z.object({
  user: User,
  credentials: z.object({ temp_password: z.string(), expires_at: z.string() }),
});

export const UserList = z.object({ users: z.array(User), pagination: Pagination });

export const DeletedUser = z.object({
  id: z.string(),
  status: z.literal("deleted"),
  deleted_at: z.string(),
  deleted_by: z.string(),
  reason: z.string(),
  data_transferred: z.boolean(),
  transferred_to: z.string().nullable(),
  erasure_job_id: z.string().optional(),
});

export const CreateInvite = z.object({
  email,
  name,
  role,
  permissions,
  expires_in_days: z.int().min(1).max(MAX_INVITE_DAYS).default(7),
  send_email: z.boolean().default(true),
  metadata: metadata.optional(),
});

export const ListInvites = z.object({
  status: z.enum(INVITE_STATES).optional(),
  email: email.optional(),
  ...page(50, 200),
});

const token = z.string().min(1).max(256).optional();

export const AcceptInviteQuery = z.object({ token });

export const AcceptInvite = z.object({
  password,
  accept_terms: z.literal(true, "must be true"),
  token,
});

export const CancelInvite = z.object({ reason: text(1000).optional() });

export const NewInvite = Invite.extend({ invitation_url: z.string() });

export const AcceptedInvite = z.object({
  id: z.string(),
  status: z.literal("accepted"),
  accepted_at: z.string(),
  user: z.object({
    ...person,
    role,
    permissions: z.array(z.string()),
    email_verified: z.boolean(),
  }),
});

export const InviteList = z.object({ invites: z.array(Invite), pagination: Pagination });

export const ListOrganizations = z.object(page(50, 200));

export const SetPlan = z.object({ organization_id: z.string().min(1).max(256), plan: z.enum(PLANS) });

export const EraseOrganization = z.object({
  organization_id: z.string().min(1).max(256),
  confirm: z.literal(true, "must be true").describe("Confirms that all data of the organization is to be erased"),
  reason: text(1000),
});

export const OrganizationErasure = z.object({
  organization_id: z.string(),
  job_id: z.string(),
  status: z.literal("erasing"),
});

export const Organization = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.enum(PLANS),
  operator: z.boolean().describe("Its admins run the deployment"),
  created_at: z.string(),
});

export const OrganizationList = z.object({ organizations: z.array(Organization), pagination: Pagination });
