/** The origin under which the outside reaches the API, for addresses that the service gives away. */
import type { Config } from './config.ts';

/** Finds the origin: APP_URL, which serves the API too; without it, where the API listens. */
export const findPublicOrigin = ({ appUrl, host, port }: Pick<Config, 'appUrl' | 'host' | 'port'>): string =>
  appUrl ?? `http://${host}:${port}`;
