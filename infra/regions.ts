/** The regions of each geography in which Bedrock offers Amazon's models by a cross-region inference profile. */
const PROFILE_REGIONS: Record<string, readonly string[]> = {
  us: ["us-east-1", "us-east-2", "us-west-2"],
  eu: ["eu-central-1", "eu-north-1", "eu-south-1", "eu-south-2", "eu-west-1", "eu-west-3"],
  apac: ["ap-northeast-1", "ap-northeast-2", "ap-south-1", "ap-southeast-1", "ap-southeast-2"],
};

/** The id of one of Amazon's models in a region: its inference profile, or the model itself where there is none. */
export function regionalModel(model: string, region: string | undefined): string {
  const geography = Object.keys(PROFILE_REGIONS).find((name) => PROFILE_REGIONS[name]?.includes(region ?? ""));
  return geography === undefined ? model : `${geography}.${model}`;
}

/** The only region where CloudFront looks for firewalls and certificates (Amazon CloudFront Developer Guide). */
export const FIREWALL_REGION = "us-east-1";
