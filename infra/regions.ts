/** The only region where CloudFront looks for firewalls and certificates (Amazon CloudFront Developer Guide). */
export const FIREWALL_REGION = "us-east-1";
