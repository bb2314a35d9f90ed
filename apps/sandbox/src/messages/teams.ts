import { HttpError, type Reply, readJsonObject, type ServiceRequest } from '../http-service.ts'
import type { MessageStore } from './store.ts'

const workflow = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'
const signature = 'sAndB0xSignatureOfTheWorkflow_0123456789abc'

/** The URL of a workflow "When a Teams webhook request is received", as Power Automate shows it. */
export const teamsPath = `/workflows/${workflow}/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${signature}`

/** Of a card, https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format */
const maxBytes = 28 * 1024

/**
 * Starts a run of the workflow: 202 says that it has started. A message that it cannot post, such as one without a card, only fails in
 * its run history. @throws HttpError with the codes of Azure Logic Apps
 */
export async function receiveTeams(
  { params, url, incoming }: ServiceRequest,
  store: MessageStore,
): Promise<Reply> {
  if (params.workflow !== workflow)
    throw new HttpError(404, `The workflow '${params.workflow}' could not be found.`, {
      code: 'WorkflowNotFound',
    })
  if (url.searchParams.get('sig') !== signature)
    throw new HttpError(401, 'The authentication credentials are not valid.', {
      code: 'AuthorizationFailed',
    })
  const payload = await readJsonObject(incoming)
  if (payload === null)
    throw new HttpError(400, 'The input body for trigger manual is not valid JSON.', {
      code: 'InvalidRequestContent',
    })
  const card = cardOf(payload)
  if (card !== null && Buffer.byteLength(JSON.stringify(card)) <= maxBytes) {
    const { body = [], actions = [] } = card
    const [title = '', ...lines] = body.map(({ text = '' }) => text.replace(/\\(.)/g, '$1'))
    store.add({
      channel: 'teams',
      recipient: 'Kustos',
      subject: title,
      text: [...lines, ...actions.map(({ url: link }) => link ?? '')].join('\n'),
    })
  }
  return { status: 202, headers: {}, body: '' }
}

interface Card {
  readonly body?: readonly { readonly text?: string }[]
  readonly actions?: readonly { readonly url?: string }[]
}

function cardOf({ type, attachments }: Readonly<Record<string, unknown>>): Card | null {
  const [first] = Array.isArray(attachments) ? attachments : []
  const isCard =
    type === 'message' &&
    first?.contentType === 'application/vnd.microsoft.card.adaptive' &&
    first.content?.type === 'AdaptiveCard'
  return isCard ? (first.content as Card) : null
}
