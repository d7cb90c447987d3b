// Lets an addon that keeps references to strings, which Node-API allows from version 10 on, run on older versions, which refuse references to
// anything but objects, functions and symbols: each other value is kept in a holder object of its own, and the reference is to the holder.
// Included ahead of the addon's own sources.
#pragma once

#include <node_api.h>

#include <unordered_set>

namespace primitive_references {

// A reference belongs to one environment, and an environment to one thread, so each thread notes its own.
inline std::unordered_set<napi_ref>& Holders() {
  static thread_local std::unordered_set<napi_ref> holders;
  return holders;
}

inline bool CanBeReferenced(napi_valuetype type) {
  return type == napi_object || type == napi_function || type == napi_external || type == napi_symbol;
}

inline napi_status Create(napi_env env, napi_value value, uint32_t count, napi_ref* result) {
  napi_valuetype type;
  napi_status status = napi_typeof(env, value, &type);
  if (status != napi_ok) return status;
  if (CanBeReferenced(type)) return napi_create_reference(env, value, count, result);
  napi_value holder;
  if ((status = napi_create_object(env, &holder)) != napi_ok) return status;
  if ((status = napi_set_element(env, holder, 0, value)) != napi_ok) return status;
  if ((status = napi_create_reference(env, holder, count, result)) != napi_ok) return status;
  Holders().insert(*result);
  return napi_ok;
}

inline napi_status GetValue(napi_env env, napi_ref reference, napi_value* result) {
  napi_status status = napi_get_reference_value(env, reference, result);
  // Null: the value of a weak reference was collected.
  if (status != napi_ok || *result == nullptr || Holders().count(reference) == 0) return status;
  return napi_get_element(env, *result, 0, result);
}

inline napi_status Delete(napi_env env, napi_ref reference) {
  // The address may be given to another reference.
  Holders().erase(reference);
  return napi_delete_reference(env, reference);
}

}  // namespace primitive_references

#define napi_create_reference primitive_references::Create
#define napi_get_reference_value primitive_references::GetValue
#define napi_delete_reference primitive_references::Delete
