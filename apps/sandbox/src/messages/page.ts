import { fillTemplate, readAsset } from '../assets.ts'
import { escapeHtml } from '../html.ts'
import { type Message, maxMessages } from './store.ts'

const template = readAsset(import.meta.url, 'page.html')
const messageTemplate = readAsset(import.meta.url, 'message.html')
const timeFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'Europe/Rome',
})

/** All messages on one page, which reloads itself every few seconds. */
export const renderPage = (messages: readonly Message[]): string =>
  fillTemplate(template, {
    count: messages.length > 0 ? `(${messages.length}) ` : '',
    limit: maxMessages.toLocaleString('en'),
    messages: messages.map(renderMessage).join('\n      ') || '<p>No messages yet.</p>',
  })

const renderMessage = ({ id, at, channel, recipient, subject, text }: Message): string =>
  fillTemplate(messageTemplate, {
    id: String(id),
    channel,
    recipient: escapeHtml(recipient),
    at: escapeHtml(at),
    time: timeFormat.format(new Date(at)),
    heading: subject === null ? '' : `<h2>${escapeHtml(subject)}</h2>\n        `,
    text: escapeHtml(text),
  })
