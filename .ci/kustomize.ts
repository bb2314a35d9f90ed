import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseEnv } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'

export type Json = string | number | boolean | null | undefined | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** An object of the Kubernetes API. */
export interface Resource extends JsonObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: JsonObject & { readonly name: string }
}

interface Generator {
  readonly name: string
  readonly envs?: readonly string[]
  readonly files?: readonly string[]
}

interface Operation {
  readonly op: string
  readonly path: string
  readonly value: Json
}

/** The part of kustomize that the manifests use. */
interface Kustomization {
  readonly apiVersion: string
  readonly kind: string
  readonly resources: readonly string[]
  readonly configMapGenerator?: readonly Generator[]
  readonly secretGenerator?: readonly Generator[]
  readonly patches?: readonly {
    readonly target: { readonly kind: string; readonly name: string }
    /** YAML: a list of operations (RFC 6902), or a part of the object. */
    readonly patch: string
  }[]
  readonly namespace?: string
  readonly nameSuffix?: string
  readonly labels?: readonly { readonly pairs: JsonObject; readonly includeSelectors: true }[]
  readonly replicas?: readonly { readonly name: string; readonly count: number }[]
  readonly images?: readonly { readonly name: string; readonly newName: string; readonly newTag: string }[]
}

const known: ReadonlySet<string> = new Set<keyof Kustomization>([
  'apiVersion',
  'kind',
  'resources',
  'configMapGenerator',
  'secretGenerator',
  'patches',
  'namespace',
  'nameSuffix',
  'labels',
  'replicas',
  'images',
])

/**
 * Renders a folder with a kustomization.yaml as `kubectl kustomize` does, but for the hashes in the names of generated objects and
 * the values of secrets, whose files need not exist.
 * @throws Error for what this subset of kustomize lacks, and for what changes nothing
 */
export async function render(folder: string): Promise<Resource[]> {
  const settings: Kustomization = parse(await readFile(join(folder, 'kustomization.yaml'), 'utf8'))
  const unknown = Object.keys(settings).filter((key) => !known.has(key))
  if (unknown.length > 0)
    throw new Error(`kustomization.yaml has ${unknown.join(', ')}, which is not supported`)
  const { configMapGenerator = [], secretGenerator = [] } = settings
  const lists = await Promise.all([
    ...settings.resources.map((path) => load(join(folder, path))),
    ...configMapGenerator.map((generator) => generateConfigMap(folder, generator)),
    secretGenerator.map(generateSecret),
  ])
  return transform(patchAll(lists.flat(), settings), settings)
}

async function load(path: string): Promise<Resource[]> {
  if ((await stat(path)).isDirectory()) return render(path)
  return readResources(await readFile(path, 'utf8'))
}

/** The objects of a file. */
export const readResources = (text: string): Resource[] =>
  [...parseAllDocuments(text)].map((document) => document.toJS())

async function generateConfigMap(folder: string, { name, envs = [], files = [] }: Generator) {
  const read = (path: string) => readFile(join(folder, path), 'utf8')
  const data: Record<string, string> = {}
  for (const path of envs) Object.assign(data, parseEnv(await read(path)))
  for (const path of files) data[basename(path)] = await read(path)
  return [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }]
}

function generateSecret({ name, files = [] }: Generator): Resource {
  const data = Object.fromEntries(files.map((path) => [basename(path), '']))
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, type: 'Opaque', data }
}

function patchAll(resources: readonly Resource[], { patches = [] }: Kustomization): readonly Resource[] {
  return patches.reduce((patched, { target, patch }) => {
    const isTarget = ({ kind, metadata }: Resource) => kind === target.kind && metadata.name === target.name
    if (!patched.some(isTarget))
      throw new Error(`a patch changes ${target.kind} ${target.name}, which is missing`)
    const change: Json | readonly Operation[] = parse(patch)
    return patched.map((resource) =>
      isTarget(resource) ? (applyPatch(resource, change) as Resource) : resource,
    )
  }, resources)
}

function applyPatch(resource: Json, patch: Json | readonly Operation[]): Json {
  if (!Array.isArray(patch)) return merge(resource, patch as Json)
  return (patch as readonly Operation[]).reduce((patched, { op, path, value }) => {
    if (op !== 'replace') throw new Error(`a patch has the operation ${op}, which is not supported`)
    return replaceAt(patched, path.split('/').slice(1), value, path)
  }, resource)
}

function replaceAt(object: Json, [key, ...rest]: readonly string[], value: Json, path: string): Json {
  if (key === undefined) return value
  if (isList(object) && object[Number(key)] !== undefined)
    return object.map((item, index) => (index === Number(key) ? replaceAt(item, rest, value, path) : item))
  if (isObject(object) && object[key] !== undefined)
    return { ...object, [key]: replaceAt(object[key], rest, value, path) }
  throw new Error(`a patch replaces ${path}, which is missing`)
}

/** Lists of objects with names are merged by name, new ones first. */
function merge(old: Json, patch: Json): Json {
  if (isObject(old) && isObject(patch))
    return {
      ...old,
      ...Object.fromEntries(Object.entries(patch).map(([key, value]) => [key, merge(old[key], value)])),
    }
  if (!isList(old) || !isList(patch) || !patch.every(hasName)) return patch
  const find = (list: readonly Json[], name: Json) => list.find((item) => hasName(item) && item.name === name)
  return [
    ...patch.filter(({ name }) => find(old, name) === undefined),
    ...old.map((item) => {
      const change = hasName(item) ? find(patch, item.name) : undefined
      return change === undefined ? item : merge(item, change)
    }),
  ]
}

function transform(resources: readonly Resource[], settings: Kustomization): Resource[] {
  const { namespace, nameSuffix = '', labels = [], replicas = [], images = [] } = settings
  const used = new Set<string>()
  const transformed = resources.map((resource) => {
    const name = resource.metadata.name + nameSuffix
    const count = replicas.find((each) => each.name === name && resource.kind === 'Deployment')?.count
    if (count !== undefined) used.add(name)
    const pairs = Object.assign({}, ...labels.map((each) => each.pairs))
    const labelled: JsonObject = {
      ...(labels.length === 0
        ? resource
        : mapObjects(resource, (key, value) => addLabels(key, value, pairs))),
      metadata: {
        ...resource.metadata,
        name,
        ...(namespace !== undefined && { namespace }),
        ...(labels.length > 0 && { labels: pairs }),
      },
    }
    const renamed = mapObjects(labelled, (key, value) => {
      const image = key === 'image' ? images.find((each) => each.name === value) : undefined
      if (image !== undefined) used.add(image.name)
      return image === undefined ? value : `${image.newName}:${image.newTag}`
    })
    return (count === undefined ? renamed : merge(renamed, { spec: { replicas: count } })) as Resource
  })
  const unused = [...replicas, ...images].filter(({ name }) => !used.has(name))
  if (unused.length > 0) throw new Error(`nothing is called ${unused.map(({ name }) => name).join(', ')}`)
  return transformed
}

/** Selectors, and the labels of pods that they select. */
const addLabels = (key: string, value: Json, pairs: JsonObject): Json =>
  isObject(value) && (key === 'matchLabels' || key === 'labels') ? { ...value, ...pairs } : value

/** Replaces values at any depth by their keys. */
function mapObjects<Value extends Json>(value: Value, change: (key: string, value: Json) => Json): Value {
  const mapped = isList(value)
    ? value.map((item) => mapObjects(item, change))
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, item]) => [key, change(key, mapObjects(item, change))]),
        )
      : value
  return mapped as Value
}

export const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
export const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const hasName = (value: Json): value is JsonObject & { readonly name: string } =>
  isObject(value) && typeof value.name === 'string'
