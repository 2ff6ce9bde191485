/** Drawn tests draw the same in each run, so that a failure is the change's; PROPERTY_SEED draws something else. */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });
