/**
 * Starts the OpenTelemetry SDK if the operator has configured a collector. The SDK is an optional package that is loaded only
 * then; it reads its own OTEL_ variables (endpoint, headers, sampler).
 */
import type { Logger } from '../log.ts';

interface Tracing {
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

const NONE: Tracing = { stop: async () => undefined };

const loadSdk = () => import('@opentelemetry/sdk-node');

/**
 * @param endpoint OTEL_EXPORTER_OTLP_ENDPOINT; undefined turns tracing off
 * @param service name, version and environment in the traces
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
    // Only traces: detected resources would reveal the command line and the host, instrumentations would reveal queries.
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
