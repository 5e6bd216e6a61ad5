import { expect, it } from "vitest";
import { maySee } from "../../runtime/fetching/secret-destinations.ts";
import { openForeignBucket } from "./foreign-bucket.ts";

const REGIONS = ["us-east-1", "eu-central-1", "ap-southeast-7", "us-gov-west-1", "cn-north-1"];
const BUCKETS = ["documents", "documents.of.ada", "documents--usw2-az1--x-s3"];

it.each(REGIONS.flatMap((region) => BUCKETS.map((bucket) => ({ region, bucket }))))(
  "asks $bucket in $region at an address that may see its keys",
  async (settings) => {
    const asked: string[] = [];
    const bucket = await openForeignBucket(
      { ...settings, credentials: { accessKeyId: "id", secretAccessKey: "secret" } },
      async (url) => {
        asked.push(String(url));
        return new Response(null, { status: 404 });
      },
    );
    await expect(bucket.list({})).rejects.toThrow();
    expect(asked).toHaveLength(1);
    expect(maySee("bucket_keys", asked[0] ?? "", { config: settings })).toBe(true);
    expect(maySee("bucket_keys", asked[0] ?? "", { config: { ...settings, region: "other" } })).toBe(false);
  },
);
