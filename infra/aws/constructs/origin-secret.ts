import { CustomResource, SecretValue, Validations } from "aws-cdk-lib";
import { CfnSecret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { lambdaHandler } from "../../bundle.ts";
import { ANSWER_TIMEOUT, LoggedFunction, type LoggedFunctionProps } from "./logged-function.ts";

/** Letters and digits of a secret: about 380 random bits. */
const SECRET_LENGTH = 64;

/**
 * The secrets with which CloudFront identifies itself, so that nobody can bypass it. There are two: the current one,
 * and the next one, which functions already accept. A deployment that increases the number by one changes CloudFront
 * first, and then functions stop accepting the previous secret. No request is refused meanwhile.
 */
export class OriginSecret extends Construct {
  /** The secret that CloudFront sends. CloudFormation reads it at deployment; the template has only its ARN. */
  readonly current: string;
  /** SHA-256 in hex of both, comma-separated: enough to verify them, and useless for guessing. */
  readonly hashes: string;

  constructor(scope: Construct, environment: LoggedFunctionProps["environment"]) {
    super(scope, "Origin");
    const { deployment, key } = environment;
    const number = deployment.originSecretNumber;
    const [current, next] = [this.makeSecret(number, key), this.makeSecret(number + 1, key)];
    const secrets = [current.ref, next.ref];
    const reader = new LoggedFunction(this, "OriginSecretReader", {
      environment,
      handler: lambdaHandler.customResource("origin-hashes"),
      description: "Gives functions the hashes that identify CloudFront's requests, at deployment",
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
      serviceTimeout: ANSWER_TIMEOUT,
      properties: { Secrets: secrets },
    });
    hashes.node.addDependency(reader.role);
    this.current = SecretValue.secretsManager(current.ref).unsafeUnwrap();
    this.hashes = hashes.getAttString("Hashes");
  }

  private makeSecret(number: number, key: LoggedFunctionProps["environment"]["key"]): CfnSecret {
    const secret = new CfnSecret(this, `Secret${number}`, {
      description: `The secret that CloudFront sends to the functions, number ${number}`,
      generateSecretString: { passwordLength: SECRET_LENGTH, excludePunctuation: true },
      kmsKeyId: key?.keyArn,
    });
    Validations.of(secret).acknowledge({
      id: "AwsSolutions-SMG4",
      reason: "CloudFront and the functions change it together in a deployment with the next `originSecretNumber`.",
    });
    return secret;
  }
}
