import {
  InvokeCommand,
  LambdaClient,
  paginateListFunctions,
  UpdateFunctionConfigurationCommand,
} from "@aws-sdk/client-lambda";
import type { Environment } from "../../shared/adapters/aws/environment.ts";

type Variables = Record<string, string>;

export interface DeployedFunction {
  /** As AWS knows it. */
  id: string;
  /** As the service calls it, e.g. `memories` or `sweep`. */
  name: string;
  variables: Variables;
}

/** Variable of a function that tells which settings of a test it runs under. */
const SETTINGS_OF_TEST = "SETTINGS_OF_TEST";
const NO_SETTINGS = keyOf({});

export async function listFunctions(): Promise<DeployedFunction[]> {
  const functions: DeployedFunction[] = [];
  for await (const { Functions = [] } of paginateListFunctions({ client: new LambdaClient() }, {})) {
    for (const { FunctionName: id = "", Environment } of Functions) {
      const variables = Environment?.Variables ?? {};
      functions.push({ id, name: variables.POWERTOOLS_SERVICE_NAME ?? id, variables });
    }
  }
  return functions;
}

/** The deployed functions, which can be invoked and run under other settings than those they were deployed with. */
export class DeployedFunctions {
  readonly #client = new LambdaClient();
  readonly #functions: DeployedFunction[];
  /** Key of the settings in use; read at the first need of it, since a file before may have left others. */
  #settings: Promise<string> | undefined;

  /** `functions` as they were deployed. */
  constructor(functions: DeployedFunction[]) {
    this.#functions = functions;
  }

  /** Where everything is, as all functions together are told. */
  get environment(): Environment {
    return Object.assign({}, ...this.#functions.map(({ variables }) => variables));
  }

  /**
   * Has all functions run under what they were deployed with and these settings; their processes start anew where that
   * changes anything. What they are at work on then comes again, as with any deployment.
   */
  async use(settings: Variables): Promise<void> {
    const key = keyOf(settings);
    const before = this.#settings ?? settingsInUse();
    this.#settings = before.then(async (current) => {
      if (current !== key) await this.#change(settings, key);
      return key;
    });
    await this.#settings;
  }

  async #change(settings: Variables, key: string): Promise<void> {
    for (const { id, variables } of this.#functions) {
      const Environment = { Variables: { ...variables, ...settings, [SETTINGS_OF_TEST]: key } };
      await this.#client.send(new UpdateFunctionConfigurationCommand({ FunctionName: id, Environment }));
    }
  }

  /** What the service calls the function that an ARN names. */
  nameOf(arn: string): string {
    const id = arn.split(":")[6];
    const found = this.#functions.find((each) => each.id === id);
    if (found === undefined) throw new Error(`no function of the deployment is ${arn}`);
    return found.name;
  }

  /** Invokes a function as AWS would; answers what it returned. Throws what it threw. */
  async invoke(name: string, event: unknown): Promise<unknown> {
    const found = this.#functions.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no function is called '${name}'`);
    const answer = await this.#client.send(
      new InvokeCommand({ FunctionName: found.id, Payload: JSON.stringify(event) }),
    );
    const payload = answer.Payload?.transformToString() ?? "";
    if (answer.FunctionError !== undefined) throw new Error(`${name} failed: ${payload}`);
    return payload === "" ? undefined : JSON.parse(payload);
  }
}

async function settingsInUse(): Promise<string> {
  const [first] = await listFunctions();
  return first?.variables[SETTINGS_OF_TEST] ?? NO_SETTINGS;
}

function keyOf(settings: Variables): string {
  return JSON.stringify(Object.entries(settings).toSorted());
}
