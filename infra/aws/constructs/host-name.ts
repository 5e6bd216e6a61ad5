import { Duration, Fn, Validations } from "aws-cdk-lib";
import { ApiMapping, DomainName, type HttpApi, type HttpStage } from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate, type ICertificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  type IDistribution,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { AaaaRecord, ARecord, HostedZone, type IAliasRecordTarget, RecordTarget } from "aws-cdk-lib/aws-route53";
import { ApiGatewayv2DomainProperties, CloudFrontTarget } from "aws-cdk-lib/aws-route53-targets";
import { Construct } from "constructs";
import { ORIGIN_SECRET_HEADER } from "../../../shared/runtime/http/origin.ts";
import type { OriginSecret } from "./origin-secret.ts";

export interface HostNameProps {
  name: string;
  certificateArn: string;
  /** Route 53 zone for its record; absent if the record is managed elsewhere. */
  hostedZoneId: string | undefined;
  api: HttpApi;
  stage: HttpStage;
  /** Absent if requests reach API Gateway directly. */
  firewall: Firewall | undefined;
}

/** A firewall in front of the API. */
export interface Firewall {
  webAclArn: string;
  /** Sent with each request that passes. */
  origin: OriginSecret;
}

/** A custom host name for the API: at API Gateway itself, or at CloudFront with a firewall. */
export class HostName extends Construct {
  /** The target of a DNS record for the name. */
  readonly target: string;
  /** Absent without a firewall. */
  readonly distribution: IDistribution | undefined;

  constructor(scope: Construct, id: string, { firewall, hostedZoneId, ...props }: HostNameProps) {
    super(scope, id);
    const certificate = Certificate.fromCertificateArn(this, "Certificate", props.certificateArn);
    const { target, alias, records, distribution } =
      firewall === undefined ? this.atApiGateway(certificate, props) : this.atCloudFront(certificate, props, firewall);
    this.target = target;
    this.distribution = distribution;
    if (hostedZoneId === undefined) return;
    const zone = HostedZone.fromHostedZoneAttributes(this, "Zone", { hostedZoneId, zoneName: props.name });
    for (const [type, AliasRecord] of Object.entries(records)) {
      new AliasRecord(this, type, { zone, recordName: `${props.name}.`, target: RecordTarget.fromAlias(alias) });
    }
  }

  private atApiGateway(certificate: ICertificate, { name, api, stage }: ApiTarget): Published {
    const domainName = new DomainName(this, "Domain", { domainName: name, certificate });
    new ApiMapping(this, "Mapping", { api, stage, domainName });
    const { regionalDomainName, regionalHostedZoneId } = domainName;
    const alias = new ApiGatewayv2DomainProperties(regionalDomainName, regionalHostedZoneId);
    return { target: regionalDomainName, alias, records: { A: ARecord } };
  }

  private atCloudFront(certificate: ICertificate, { name, api }: ApiTarget, firewall: Firewall): Published {
    const distribution: IDistribution = new Distribution(this, "Distribution", {
      domainNames: [name],
      certificate,
      webAclId: firewall.webAclArn,
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      defaultBehavior: {
        origin: new HttpOrigin(hostOf(api.apiEndpoint), {
          protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
          originSslProtocols: [OriginSslPolicy.TLS_V1_2],
          customHeaders: { [ORIGIN_SECRET_HEADER]: firewall.origin.current },
        }),
        allowedMethods: AllowedMethods.ALLOW_ALL,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        // Responses are private; API Gateway must see its own host name and everything else that was sent.
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        responseHeadersPolicy: this.securityHeaders(),
      },
    });
    Validations.of(distribution).acknowledge(
      { id: "AwsSolutions-CFR1", reason: "The API serves every country; the firewall can block countries." },
      { id: "AwsSolutions-CFR3", reason: "The access log of the API contains every request that passes." },
    );
    const alias = new CloudFrontTarget(distribution);
    const target = distribution.distributionDomainName;
    return { target, alias, records: { A: ARecord, AAAA: AaaaRecord }, distribution };
  }

  /** The service's security headers for responses of the firewall and CloudFront. */
  private securityHeaders(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, "SecurityHeaders", {
      securityHeadersBehavior: {
        contentTypeOptions: { override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), includeSubdomains: true, override: true },
      },
    });
  }
}

type ApiTarget = Pick<HostNameProps, "name" | "api" | "stage">;

interface Published {
  target: string;
  alias: IAliasRecordTarget;
  /** By type; API Gateway has no IPv6 addresses. */
  records: Record<string, typeof ARecord | typeof AaaaRecord>;
  distribution?: IDistribution;
}

function hostOf(url: string): string {
  return Fn.select(2, Fn.split("/", url));
}
