import { Duration, Validations } from "aws-cdk-lib";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { CfnQueue, Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { deadLettersOf } from "../../../shared/ports/queues.ts";
import type { Deployment } from "../../config.ts";
import { namePrefix } from "../../names.ts";
import type { LoggedFunction } from "./logged-function.ts";

const RETENTION = Duration.days(14);

/** Visibility timeout of dead-letter queues. */
const DEAD_LETTER_VISIBILITY = Duration.minutes(5);

/**
 * A queue's visibility timeout as a multiple of its consumer's timeout. AWS recommends at least six for Lambda, so that
 * no message is delivered again while it is being processed.
 */
const VISIBILITY_FACTOR = 6;

export interface DeadLetteredQueueProps {
  /** Name of the queue in the service; its name in SQS has the deployment's prefix. */
  name: string;
  deployment: Deployment;
  /** Customer-managed key for the messages; SQS's own key if undefined. */
  key: IKey | undefined;
  /** Timeout of the function that reads the queue. */
  consumerTimeout: Duration;
  /** Number of receives after which a message moves to the dead-letter queue. */
  maxReceives: number;
}

/** A queue with its dead-letter queue. */
export class DeadLetteredQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: DeadLetteredQueueProps) {
    super(scope, id);
    const { name, deployment, key, consumerTimeout, maxReceives } = props;
    this.deadLetters = makeDeadLetters(this, key, namePrefix(deployment) + deadLettersOf(name));
    this.queue = new Queue(this, "Queue", {
      queueName: namePrefix(deployment) + name,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: RETENTION,
      visibilityTimeout: Duration.seconds(consumerTimeout.toSeconds() * VISIBILITY_FACTOR),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maxReceives },
    });
    encryptWith(key, this.queue);
  }
}

/** Creates a dead-letter queue named after a function. */
export function createDeadLetters(
  owner: Construct & Pick<LoggedFunction, "functionName">,
  key: IKey | undefined,
): Queue {
  return makeDeadLetters(owner, key, deadLettersOf(owner.functionName));
}

/** Returns the queue's name in SQS. The name is fixed, so that other stacks need not import it. */
export function fixedNameOf(queue: Queue): string {
  const { queueName } = resourceOf(queue);
  if (queueName === undefined) throw new Error(`${queue.node.path} has no fixed name: set queueName`);
  return queueName;
}

/** Creates a dead-letter queue that keeps messages for the maximum retention of SQS. */
function makeDeadLetters(scope: Construct, key: IKey | undefined, queueName: string): Queue {
  const deadLetters = new Queue(scope, "DeadLetters", {
    queueName,
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: RETENTION,
    visibilityTimeout: DEAD_LETTER_VISIBILITY,
  });
  encryptWith(key, deadLetters);
  Validations.of(deadLetters).acknowledge({
    id: "AwsSolutions-SQS3",
    reason: "It is a dead-letter queue itself, of a queue, a stream or a schedule.",
  });
  return deadLetters;
}

/**
 * Sets the key on the CloudFormation resource: with a key in its properties, the L2 construct would grant wildcard
 * actions to users of the queue.
 */
function encryptWith(key: IKey | undefined, queue: Queue): void {
  if (key === undefined) return;
  const resource = resourceOf(queue);
  resource.sqsManagedSseEnabled = undefined;
  resource.kmsMasterKeyId = key.keyArn;
}

function resourceOf({ node }: Queue): CfnQueue {
  const resource = node.defaultChild;
  if (!(resource instanceof CfnQueue)) throw new Error(`${node.path} has no CloudFormation resource of its own`);
  return resource;
}
