/** Bounds forms (application/x-www-form-urlencoded) before they are parsed. */
import { invalid } from '../../base/errors.ts';

/** Maximum number of fields of a form, as of Tomcat: browsers and services send far fewer. */
export const MAX_FORM_FIELDS = 10_000;

/** Counts the fields of a form. @throws ApiError 422 for more than are allowed */
export function requireFewFields(form: string): void {
  let fields = 1;
  for (let at = form.indexOf('&'); at !== -1; at = form.indexOf('&', at + 1)) {
    fields += 1;
    if (fields > MAX_FORM_FIELDS) {
      const msg = `A form has at most ${MAX_FORM_FIELDS} fields`;
      throw invalid([{ loc: ['body'], msg, type: 'too_many_fields' }]);
    }
  }
}

/** @throws ApiError 422 for a form with too many fields */
export function parseForm(form: string): URLSearchParams {
  requireFewFields(form);
  return new URLSearchParams(form);
}
