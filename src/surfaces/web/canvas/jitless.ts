/** Stops zod from trying `new Function`, which the page's content security policy forbids and reports. Imported first. */
import { z } from 'zod';

z.config({ jitless: true });
