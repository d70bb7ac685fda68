import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  GraphQLID,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
} from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';

const OF_ACCOUNT = 'an account names people, to whom nothing leads from oversight';

/** IDs that lead to no object, and why. */
const NOTICE = 'the assessment that was asked of, and who owes it: read it for more of them';
const NO_REFERENCE: Readonly<Record<string, string>> = {
  'AgencyDay.confirmedById': 'the member of staff who signed, whose record is for operators',
  'AgencyDayService.serviceId': 'the service as it stands in the signed text',
  'AssessmentNotice.assessmentId': NOTICE,
  'AssessmentNotice.citizenId': NOTICE,
  'Business.registrationNumber': 'a number of the business registry, which the rail does not hold',
  'FigureKey.integratorId': OF_ACCOUNT,
  'FigureRecord.integrator': OF_ACCOUNT,
  'OpenCause.onlyId': 'the record of a group of one, which the list of its kind shows',
  'PayReference.number': 'the payment reference, as who has it sees it: the record is for others',
  'SignUp.integratorId': 'an account that is not verified yet, which is shown to nobody',
  'Taxpayer.tin': 'a number of the tax authority, which the rail does not hold',
  'WebhookDelivery.message': 'the number of a message, by which its receiver knows it again',
};

type Composite = GraphQLObjectType | GraphQLInterfaceType;

/** The place of a row in its list, or where a page begins and ends. */
const isPlace = ({ name }: Composite, field: string) => field === 'cursor' || name === 'PageInfo';

/** The names of the object fields for an ID: `agency` for `agencyId`, `agencies` for `agencyIds`. */
function namesOfObjects(field: string): string[] {
  const one = /^(\w+)Id$/.exec(field)?.[1];
  if (one) return [one];
  const several = /^(\w+)Ids$/.exec(field)?.[1];
  return several ? [`${several}s`, several.replace(/y$/, 'ies')] : [];
}

function leadsToItsObject(type: Composite, field: GraphQLField<unknown, unknown>): boolean {
  const isList = isListType(getNullableType(field.type));
  return namesOfObjects(field.name)
    .map((name) => type.getFields()[name])
    .some(
      (beside) =>
        beside !== undefined &&
        isCompositeType(getNamedType(beside.type)) &&
        isListType(getNullableType(beside.type)) === isList,
    );
}

it('answers no reference by an ID alone: the object stands beside it', () => {
  const ids = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => getNamedType(field.type) === GraphQLID)
        .map((field) => ({ type, field })),
    );
  expect(ids.length).toBeGreaterThan(50);
  const bare = ids
    .filter(({ type, field }) => field.name !== 'id' && !isPlace(type, field.name) && !leadsToItsObject(type, field))
    .map(({ type, field }) => `${type.name}.${field.name}`);
  expect(bare.toSorted()).toEqual(Object.keys(NO_REFERENCE).toSorted());
});
