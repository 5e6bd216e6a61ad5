import { CustomResource, SecretValue, Validations } from "aws-cdk-lib";
import { CfnSecret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { lambdaHandler } from "../../bundle.ts";
import { LoggedFunction, type LoggedFunctionProps } from "./logged-function.ts";

/** Letters and digits of a secret: about 380 random bits. */
const SECRET_LENGTH = 64;

/**
 * The secrets with which CloudFront identifies itself, so that nobody can bypass it. There are two: the current one,
 * and the next, which functions already accept. A deployment that advances by one changes CloudFront first and lets
 * functions forget the former afterwards, without refusing requests meanwhile.
 */
export class OriginSecret extends Construct {
  /** The secret that CloudFront sends. CloudFormation reads it at deployment; the template has only its ARN. */
  readonly shown: string;
  /** SHA-256 in hex of both, comma-separated: enough to verify them, and useless for guessing. */
  readonly hashes: string;

  constructor(scope: Construct, environment: LoggedFunctionProps["environment"]) {
    super(scope, "Origin");
    const { deployment, key } = environment;
    const number = deployment.originSecretNumber;
    const [shown, next] = [this.makeSecret(number, key), this.makeSecret(number + 1, key)];
    const secrets = [shown.ref, next.ref];
    const reader = new LoggedFunction(this, "OriginSecretReader", {
      environment,
      handler: lambdaHandler.customResource("origin-hashes"),
      description: "Tells functions by what they know CloudFront's requests, at deployment",
      memoryMb: 256,
      timeoutSeconds: 60,
      variables: {},
      permissions: [
        { actions: ["secretsmanager:GetSecretValue"], resources: secrets },
        ...(key ? [{ actions: ["kms:Decrypt"], resources: [key.keyArn] }] : []),
      ],
    });
    // Named by the number, so that other secrets make a new function version and not only a new environment.
    const hashes = new CustomResource(this, `Hashes${number}`, {
      resourceType: "Custom::OriginHashes",
      serviceToken: reader.function.functionArn,
      properties: { Secrets: secrets },
    });
    hashes.node.addDependency(reader.role);
    this.shown = SecretValue.secretsManager(shown.ref).unsafeUnwrap();
    this.hashes = hashes.getAttString("Hashes");
  }

  private makeSecret(number: number, key: LoggedFunctionProps["environment"]["key"]): CfnSecret {
    const secret = new CfnSecret(this, `Secret${number}`, {
      description: `What CloudFront shows to the functions behind it, number ${number}`,
      generateSecretString: { passwordLength: SECRET_LENGTH, excludePunctuation: true },
      kmsKeyId: key?.keyArn,
    });
    Validations.of(secret).acknowledge({
      id: "AwsSolutions-SMG4",
      reason: "CloudFront and the functions change it together: a deployment with the next `originSecretNumber` does.",
    });
    return secret;
  }
}
