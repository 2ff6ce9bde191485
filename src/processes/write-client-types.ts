/** A part of `npm run generate`: writes the types of the client. src/surfaces/client/generate.mjs starts it when a source has changed. */
import { writeClientTypes } from './client-types.ts';

writeClientTypes();
