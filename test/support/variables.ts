/** The names of the environment's variables, as src/base/config/environment.ts has them. */
import { environment } from '../../src/base/config/environment.ts';

/** In the order of the schema. */
export const configVariables = (): string[] => Object.keys(environment.shape);
