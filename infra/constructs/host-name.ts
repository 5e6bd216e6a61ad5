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
import { ORIGIN_SECRET_HEADER } from "../../shared/http/origin.ts";
import type { OriginSecret } from "./origin-secret.ts";

export interface HostNameProps {
  name: string;
  certificateArn: string;
  /** Zone of Route 53 that is to hold its record; absent where somebody else points the name here. */
  hostedZoneId: string | undefined;
  api: HttpApi;
  stage: HttpStage;
  /** Absent where requests come to API Gateway straight. */
  firewall: Firewall | undefined;
}

/** What requests have to pass. */
export interface Firewall {
  webAclArn: string;
  /** Shown with each that passes. */
  origin: OriginSecret;
}

/** A host name of your own for the API: at API Gateway itself, or at CloudFront where a firewall is asked for. */
export class HostName extends Construct {
  /** What a record of the name has to point at. */
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

  private atApiGateway(certificate: ICertificate, { name, api, stage }: Reached): Published {
    const domainName = new DomainName(this, "Domain", { domainName: name, certificate });
    new ApiMapping(this, "Mapping", { api, stage, domainName });
    const { regionalDomainName, regionalHostedZoneId } = domainName;
    const alias = new ApiGatewayv2DomainProperties(regionalDomainName, regionalHostedZoneId);
    return { target: regionalDomainName, alias, records: { A: ARecord } };
  }

  private atCloudFront(certificate: ICertificate, { name, api }: Reached, firewall: Firewall): Published {
    const distribution: IDistribution = new Distribution(this, "Distribution", {
      domainNames: [name],
      certificate,
      webAclId: firewall.webAclArn,
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      defaultBehavior: {
        origin: new HttpOrigin(hostOf(api.apiEndpoint), {
          protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
          originSslProtocols: [OriginSslPolicy.TLS_V1_2],
          customHeaders: { [ORIGIN_SECRET_HEADER]: firewall.origin.shown },
        }),
        allowedMethods: AllowedMethods.ALLOW_ALL,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        // Answers are somebody's own; API Gateway must see its own host name, and whatever else was sent.
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        responseHeadersPolicy: this.securityHeaders(),
      },
    });
    Validations.of(distribution).acknowledge(
      { id: "AwsSolutions-CFR1", reason: "Whom the API serves is no matter of countries; the firewall can be told." },
      { id: "AwsSolutions-CFR3", reason: "Every request it lets through is in the access log of the API." },
    );
    const alias = new CloudFrontTarget(distribution);
    const target = distribution.distributionDomainName;
    return { target, alias, records: { A: ARecord, AAAA: AaaaRecord }, distribution };
  }

  /** What the service's own answers carry, for those that the firewall and CloudFront give. */
  private securityHeaders(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, "SecurityHeaders", {
      securityHeadersBehavior: {
        contentTypeOptions: { override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), includeSubdomains: true, override: true },
      },
    });
  }
}

type Reached = Pick<HostNameProps, "name" | "api" | "stage">;

interface Published {
  target: string;
  alias: IAliasRecordTarget;
  /** By type; API Gateway has no addresses of version 6. */
  records: Record<string, typeof ARecord | typeof AaaaRecord>;
  distribution?: IDistribution;
}

function hostOf(url: string): string {
  return Fn.select(2, Fn.split("/", url));
}
