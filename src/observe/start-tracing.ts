/**
 * Starts the OpenTelemetry SDK where the operator has named a collector. The SDK is an optional package: it is loaded
 * only then, and reads the OTEL_ variables of its own (endpoint, headers, sampler) itself.
 */
import type { Logger } from '../log.ts';

export interface Tracing {
  /** Sends what is left. */
  stop(): Promise<void>;
}

const NONE: Tracing = { stop: async () => undefined };

const loadSdk = () => import('@opentelemetry/sdk-node');

/**
 * @param endpoint OTEL_EXPORTER_OTLP_ENDPOINT; undefined: nothing is loaded, nothing is traced
 * @param service the process's name in the traces, its version, and the environment that it runs in
 */
export async function startTracing(
  endpoint: string | undefined,
  service: { readonly name: string; readonly version: string; readonly environment: string },
  log: Logger,
): Promise<Tracing> {
  if (endpoint === undefined) return NONE;
  const sdk = await loadSdk().catch((error: unknown) => {
    log.error({ err: error }, 'tracing is configured, but @opentelemetry/sdk-node is not installed');
    return null;
  });
  if (sdk === null) return NONE;
  const node = new sdk.NodeSDK({
    serviceName: `workflow-automation-${service.name}`,
    resource: sdk.resources.resourceFromAttributes({
      'service.version': service.version,
      'deployment.environment.name': service.environment,
    }),
    // Traces only. Detected resources would tell the command line and the host; instrumentations would tell queries.
    autoDetectResources: false,
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
  });
  node.start();
  log.info('tracing');
  return {
    async stop() {
      await node
        .shutdown()
        .catch((error: unknown) => log.warn({ err: error }, 'the last spans were not sent'));
    },
  };
}
