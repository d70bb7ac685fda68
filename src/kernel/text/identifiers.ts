/** The forms of the numbers and codes that the state gives. */
export const NIN = /^[A-Z0-9]{6,20}$/;
export const TAX_NUMBER = /^[A-Z0-9]{5,20}$/;
export const AGENCY_CODE = /^[A-Z][A-Z0-9-]{1,31}$/;

/** The form of the code that the rail gives an integrator. */
export const INTEGRATOR_CODE = /^[A-Z0-9-]{1,40}-[A-Z2-9]{6}$/;
