import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type EngineProcess, freePort, startEngine } from "./engine-process.ts";
import { type Engine, installEngine } from "./install.ts";

const JAVA = fileURLToPath(new URL("./java", import.meta.url));

/** The S3 server checks signatures with this key; the other engines accept any. */
export const ENGINE_CREDENTIALS = { accessKeyId: "engine", secretAccessKey: "engine-secret" };

/** Base URLs of the running engines. */
export type EngineUrls<Name extends Engine = Engine> = Record<Name, string>;

export interface Engines<Name extends Engine = Engine> {
  urls: EngineUrls<Name>;
  stop(): Promise<void>;
}

/** Parallel collection would take the cores from the tests. */
const COLLECTOR = "-XX:+UseSerialGC";
/** In a run of minutes, compilation that optimizes takes more processor time than it saves. */
const JAVA_OPTIONS = [COLLECTOR, "-XX:TieredStopAtLevel=1"];
/** It spends its time in little code, which pays to optimize, and creates for each request the errors it could throw. */
const DYNAMODB_OPTIONS = [COLLECTOR, "-XX:-StackTraceInThrowable"];

/** Starts an engine that is installed in a folder, with its data in another folder. */
type Starter = (installed: string, folder: string, port: number) => Promise<EngineProcess>;

const STARTERS: Record<Engine, Starter> = {
  dynamodb: (jars, folder, port) =>
    startEngine({
      name: "dynamodb",
      program: "java",
      parameters: [
        ...[...DYNAMODB_OPTIONS, "-Xmx512m", `-Djava.library.path=${jars}`],
        ...["-cp", `${jars}/*`, path.join(JAVA, "LoopbackDynamoDb.java")],
        ...["-inMemory", "-disableTelemetry", "-port", String(port)],
      ],
      port,
      folder,
    }),
  opensearch: (jars, folder, port) =>
    startEngine({
      name: "opensearch",
      program: "java",
      parameters: [
        ...[...JAVA_OPTIONS, "-Xms512m", "-Xmx512m", "-cp", `${jars}/*`, path.join(JAVA, "LoopbackOpenSearch.java")],
        ...[path.join(folder, "opensearch"), String(port)],
      ],
      port,
      folder,
      readyPath: "/_cluster/health?wait_for_status=yellow",
    }),
  sqs: (jars, folder, port) => {
    const settings = path.join(folder, "elasticmq.conf");
    writeFileSync(settings, elasticMqSettings(port));
    return startEngine({
      name: "sqs",
      program: "java",
      parameters: [
        ...JAVA_OPTIONS,
        "-Xmx256m",
        `-Dconfig.file=${settings}`,
        "-cp",
        `${jars}/*`,
        "org.elasticmq.server.Main",
      ],
      port,
      folder,
    });
  },
  s3: (jars, folder, port) => {
    const settings = path.join(folder, "s3proxy.properties");
    const logging = path.join(folder, "s3proxy-logback.xml");
    writeFileSync(settings, s3ProxySettings(port));
    writeFileSync(logging, '<configuration><root level="WARN"/></configuration>');
    return startEngine({
      name: "s3",
      program: "java",
      parameters: [
        ...[...JAVA_OPTIONS, "-Xmx256m", `-Dlogback.configurationFile=${logging}`, "-cp", `${jars}/*`],
        ...["org.gaul.s3proxy.Main", "--properties", settings],
      ],
      port,
      folder,
    });
  },
  /** Emulates SES and Secrets Manager. */
  moto: (environment, folder, port) =>
    startEngine({
      name: "moto",
      program: path.join(environment, "bin/python"),
      parameters: ["-m", "moto.server", "-H", "127.0.0.1", "-p", String(port)],
      port,
      folder,
      readyPath: "/moto-api/",
      environment: { MOTO_ALLOW_NONEXISTENT_REGION: "true" },
    }),
};

/** Every engine that emulates a service of AWS. */
export const ALL_ENGINES = Object.keys(STARTERS) as Engine[];

/** Installs missing engines and starts all on free ports of the loopback, with their data in one temporary folder. */
export async function startEngines<Name extends Engine>(names: readonly Name[]): Promise<Engines<Name>> {
  const folder = mkdtempSync(path.join(tmpdir(), "engines-"));
  const taken = new Set<number>();
  const started = await Promise.allSettled(
    names.map(async (name) => {
      const installed = await installEngine(name);
      let port = await freePort();
      while (taken.has(port)) port = await freePort();
      taken.add(port);
      return STARTERS[name](installed, folder, port);
    }),
  );
  const stop = async () => {
    await Promise.all(started.map((result) => (result.status === "fulfilled" ? result.value.stop() : undefined)));
    rmSync(folder, { recursive: true, force: true });
  };
  const urls: [Name, string][] = [];
  for (const [index, result] of started.entries()) {
    if (result.status === "fulfilled") urls.push([names[index]!, result.value.url]);
    else {
      await stop();
      throw result.reason;
    }
  }
  return { urls: Object.fromEntries(urls) as EngineUrls<Name>, stop };
}

function elasticMqSettings(port: number): string {
  return `
    include classpath("application.conf")
    node-address { protocol = http, host = "127.0.0.1", port = ${port}, context-path = "" }
    rest-sqs { enabled = true, bind-hostname = "127.0.0.1", bind-port = ${port}, sqs-limits = strict }
    rest-stats { enabled = false }
  `;
}

/** In memory, and unlike most emulators strict about signatures and expiry. */
function s3ProxySettings(port: number): string {
  const { accessKeyId, secretAccessKey } = ENGINE_CREDENTIALS;
  return `
    s3proxy.endpoint=http://127.0.0.1:${port}
    s3proxy.authorization=aws-v2-or-v4
    s3proxy.identity=${accessKeyId}
    s3proxy.credential=${secretAccessKey}
    jclouds.provider=transient
    jclouds.identity=unused
    jclouds.credential=unused
  `;
}
