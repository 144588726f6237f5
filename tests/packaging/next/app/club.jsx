"use client";
import { useEffect, useState } from "react";
import { open } from "tidegate";
import { live, told } from "../app.mjs";

export function Club() {
  const [answer, setAnswer] = useState("");
  useEffect(() => {
    told(() => live(open)).then(setAnswer);
  }, []);
  return <output>{answer}</output>;
}
