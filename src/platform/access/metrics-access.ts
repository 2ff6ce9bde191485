/** Opens GET /metrics: by the operator key in its header, or by a bearer token, which scrapers send. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../base/config/config.ts';
import type { OperatorKey } from './operator-key.ts';

/** @param address of the caller, for the limit of wrong keys */
export function opensMetrics(
  operatorKey: OperatorKey,
  config: Pick<Config, 'healthApiKeys' | 'metricsTokens'>,
  { headers, address }: { readonly headers: IncomingHttpHeaders; readonly address: string },
): boolean {
  const key = headers['x-health-api-key'];
  if (operatorKey.opens(config.healthApiKeys, typeof key === 'string' ? key : '', address)) return true;
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return operatorKey.opens(config.metricsTokens, token, address);
}
